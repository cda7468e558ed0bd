"""What students make of a file before they hand it in: another name, another folder, another code, an archive, the same
once more, or something that nobody can grade. Each says what a grader has to make of it."""
import io
import tarfile
import zipfile


class Handed:
    """Files, as (path, bytes), what is to be graded of them (None: nothing), and of what is not the name that has
    to be told, with the verdict."""

    def __init__(self, how, files, graded, told='', verdict='graded'):
        self.how, self.files, self.graded, self.told, self.verdict = how, files, graded, told, verdict


def zipped(entries):
    """A student's own archive; all times in it are lies."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(zipfile.ZipInfo(name, (1999, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def linked(name, target):
    """A tar with nothing but a link."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w') as archive:
        link = tarfile.TarInfo(name)
        link.type, link.linkname = tarfile.SYMTYPE, target
        archive.addfile(link)
    return out.getvalue()


def near_misses(lab, number, others, text):
    """Files that are graded, whatever they are called."""
    stem, plain = lab.source.rsplit('.', 1)[0], text.encode()
    wide = f'// {stem} by Jörg\n' + text
    other = next((o for o in others if o is not lab), lab)
    latin = [] if wide.encode('latin-1', 'replace') != wide.encode('latin-1', 'ignore') else [
        ('latin-1', [(lab.source, wide.encode('latin-1'))], wide.encode())]
    return latin + [
        ('copy', [(f'Copy of {lab.source}', plain)], plain),
        ('text', [(f'{lab.source}.txt', plain)], plain),
        ('number', [(f'lab{number}.cu', plain)], plain),
        ('other', [('main.cu', plain)], plain),
        ('attempt', [(f'{stem}-1.cu', plain)], plain),
        ('browser', [(f'{stem} (1).cu', plain)], plain),
        ('utf-16', [(lab.source, text.encode('utf-16'))], plain),
        ('utf-16 big', [(lab.source, b'\xfe\xff' + text.encode('utf-16-be'))], plain),
        ('crlf', [(lab.source, plain.replace(b'\n', b'\r\n'))], plain.replace(b'\n', b'\r\n')),
        ('cr', [(lab.source, plain.replace(b'\n', b'\r'))], plain),
        ('folder', [(f'{other.name}/{lab.source}', plain)], plain),
        ('zip', [('all.zip', zipped([(f'my work/lab {number}/{lab.source}', plain)]))], plain),
    ]


def duplicates(lab, number, text):
    """Several files, of which one counts, or none."""
    stem, plain = lab.source.rsplit('.', 1)[0], text.encode()
    second = plain + b'// again\n'
    return [
        Handed('again', [(lab.source, plain), (f'{stem}-2.cu', second)], second),
        Handed('the same twice', [(f'lab{number}.cu', plain), ('main.cu', plain)], plain),
        Handed('two', [(f'lab{number}.cu', plain), ('main.cu', second)], None, 'main.cu', 'bad_file'),
    ]


def refused(lab, text, victim):
    """What nobody can grade, or what is to do harm: `victim` is a folder or a file's name of somebody else's."""
    plain = text.encode()
    stolen = f'#include "{lab.header}"\nint stolen;\n'.encode()
    slips = [(f'{up}{victim}/{lab.source}', stolen) for up in ('../', '../../', '/')]
    return [
        Handed('of no lab', [('notes.md', b'see my other laptop\n')], None, 'notes.md', 'missing'),
        Handed('empty', [(lab.source, b'')], None, lab.source, 'bad_file'),
        Handed('huge', [(lab.source, plain + b'//' + b'x' * (2 << 20))], None, lab.source, 'bad_file'),
        Handed('link', [(lab.source, plain), ('link.tar', linked('Copy of ' + lab.source, '/etc/passwd'))], plain),
        Handed('slip', [(lab.source, plain), ('more.zip', zipped(slips))], plain),
        Handed('bomb', [(lab.source, plain), ('bomb.zip', zipped([('zeros.cu', bytes(96 << 20))]))], plain),
    ]


def dressed(lab, others, text, victim, dice):
    """One of these, or, mostly, the file as it should be."""
    number, plain = int(lab.name[:2]), text.encode()
    exact = Handed('exact', [(lab.source, plain)], plain)
    if f'"{lab.header}"' not in text or '\0' in text:
        return Handed('no text', exact.files, None, lab.source, 'bad_file') if '\0' in text else exact
    draw = dice.random()
    if draw < 0.1:
        return dice.choice(duplicates(lab, number, text))
    if draw < 0.18:
        return dice.choice(refused(lab, text, victim))
    return Handed(*dice.choice(near_misses(lab, number, others, text))) if draw < 0.55 else exact
