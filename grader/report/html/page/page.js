'use strict';

/* A link to a folded report opens it. */
function openTarget() {
    const target = document.getElementById(location.hash.slice(1));
    if (target && target.tagName === 'DETAILS') {
        target.open = true;
        target.scrollIntoView();
    }
}

/* What a cell is sorted by: what it says itself, else a number where it begins with one; a dash
 * comes before all. */
function valueOf(row, column) {
    const cell = row.cells[column];
    const text = cell.dataset.value || cell.textContent;
    const number = parseFloat(text);
    return text.startsWith('–') ? -1 : isNaN(number) ? text : number;
}

function compare(a, b) {
    return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
}

function sortBy(table, cell, column) {
    const isUp = cell.getAttribute('aria-sort') !== 'ascending';
    for (const other of table.tHead.rows[0].cells)
        other.removeAttribute('aria-sort');
    cell.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
    const body = table.tBodies[0];
    [...body.rows]
        .sort((a, b) => (isUp ? 1 : -1) * compare(valueOf(a, column), valueOf(b, column)))
        .forEach(row => body.append(row));
}

/* Headings become buttons. */
function makeSortable(table) {
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
        if (!cell.textContent)
            return;
        const button = document.createElement('button');
        button.type = 'button';
        button.append(...cell.childNodes);
        cell.append(button);
        button.addEventListener('click', () => sortBy(table, cell, column));
    });
}

function labelled(text, control) {
    const label = document.createElement('label');
    label.append(text + ' ', control);
    return label;
}

/* Above the students: whose name has these letters, and who has a lab that ended so. */
function addFilter(table) {
    const rows = [...table.tBodies[0].rows];
    const search = document.createElement('input');
    const ends = document.createElement('select');
    const count = document.createElement('output');
    const bar = document.createElement('div');
    search.type = 'search';
    ends.append(new Option('anything', ''));
    for (const word of new Set([...table.querySelectorAll('.mark')].map(mark => mark.title)))
        ends.append(new Option(word, word));
    function filter() {
        const letters = search.value.trim().toLowerCase();
        for (const row of rows) {
            const who = [...row.cells].filter(cell => !cell.classList.contains('number'));
            const isNamed = who.some(cell => cell.textContent.toLowerCase().includes(letters));
            const isEnded = !ends.value || [...row.querySelectorAll('.mark')].some(mark => mark.title === ends.value);
            row.hidden = !isNamed || !isEnded;
        }
        count.textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length} students`;
    }
    search.addEventListener('input', filter);
    ends.addEventListener('change', filter);
    bar.className = 'filter';
    bar.append(labelled('Search', search), labelled('with a lab that is', ends), count);
    table.parentElement.before(bar);
    filter();
}

addEventListener('hashchange', openTarget);
openTarget();
document.querySelectorAll('#student-table, #mistake-table').forEach(makeSortable);
document.querySelectorAll('#student-table').forEach(addFilter);
