"""What stands for the importers of gradebooks: who gets which grade of a file, by the rules that Canvas and Moodle
have for it. Each gives {(person, column): grade} and a list of what it would refuse or ask about."""
import csv
import io
import re


def rows_of(text):
    return list(csv.reader(io.StringIO(text, newline=''), strict=True))


def canvas(text, people, assignments):
    """Canvas: `people` have id, canvas, login and name; `assignments` are titles by number. A row is of whoever has its ID,
    else its SIS User ID, its SIS Login ID, its name; a column is of the assignment whose number ends its heading."""
    header, *rows = rows_of(text)
    if header[:5] != ['Student', 'ID', 'SIS User ID', 'SIS Login ID', 'Section']:
        return {}, [f'invalid header row: {header}']
    grades, refused, columns = {}, [], []
    for heading in header[5:]:
        match = re.fullmatch(r'(.*) \((\d+)\)', heading)
        columns.append(int(match[2]) if match and int(match[2]) in assignments else None)
        if columns[-1] is None:
            refused.append(f'{heading} is a new assignment')
    for row in rows:
        if 'Points Possible' in row[0]:
            continue
        if len(row) != len(header):
            refused.append(f'{row} has {len(row)} cells')
        keys = [(lambda p: str(p.canvas), row[1]), (lambda p: p.id, row[2]), (lambda p: p.login, row[3]),
                (lambda p: p.name, row[0])]
        found = next((p for key, cell in keys if cell for p in people if key(p) == cell), None)
        if not found:
            refused.append(f'{row[0]} is nobody')
            continue
        for column, cell in zip(columns, row[5:]):
            if (found.id, column) in grades:
                refused.append(f'{found.id} is there twice')
            grades[found.id, column] = cell.strip()
    return grades, refused


def moodle(text, by, people):
    """Moodle's import of a CSV file, with the column `by` mapped to what `people` have (a function). A row whose cell is
    empty is of the person of the row before it, since nobody forgets that one; one that is nobody's ends the import."""
    header, *rows = rows_of(text)
    at, grades, found = header.index(by), {}, None
    known = {key: person for person, key in people}
    labs = [i for i, name in enumerate(header) if name not in ('ID number', 'Full name', 'Email address', 'Course total',
                                                               'Maximum')]
    for row in rows:
        if row[at]:
            found = known.get(row[at])
        if not found:
            return {}, [f'{row[at]} is nobody: nothing is imported']
        for i in labs:
            if (found, header[i]) in grades:
                return grades, [f'{found} gets {row}, too']
            grades[found, header[i]] = row[i]
    return grades, []


def worksheet(text, participants):
    """Moodle's offline grading worksheet: the number behind "Participant " of one assignment; `participants` are persons
    by number. Rows of other numbers are skipped, empty grades change nothing."""
    header, *rows = rows_of(text)
    if any(header.count(name) != 1 for name in ('Identifier', 'Grade', 'Last modified (grade)')):
        return {}, [f'the columns are not known: {header}']
    grades, refused = {}, []
    for row in rows:
        cells = dict(zip(header, row))
        number = cells['Identifier'][len('Participant '):]
        if not number.isdigit() or int(number) not in participants:
            refused.append(f"{cells['Full name']} {cells['Identifier']} is left out")
            continue
        if cells['Grade'] and not 0 <= float(cells['Grade']) <= float(cells['Maximum Grade']):
            refused.append(f'{cells} is out of range')
        grades[participants[int(number)]] = cells['Grade']
    return grades, refused
