import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextLink } from '#core/source/link-header';

/** What may stand between `<` and `>`: commas, semicolons and quotes, too. */
const reference = fc.stringMatching(/^\/[a-z0-9,;="/?&]{0,12}$/);
const rel = fc.constantFrom('prev', 'first', 'last', 'self', 'nextish', 'https://rel.test/next');
const title = fc.stringMatching(/^[a-z ,;<>="\\]{0,8}$/);
const gap = fc.constantFrom('', ' ', '\t ');
const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

const link = fc
  .record({ reference, relations: fc.array(rel, { maxLength: 2 }), title, gap })
  .map((made) => ({
    reference: made.reference,
    text: (isNext: boolean) =>
      [
        `<${made.reference}>`,
        `title=${quoted(made.title)}`,
        `REL${made.gap}=${made.gap}${quoted([...made.relations, ...(isNext ? ['Next'] : [])].join(' '))}`,
        'rel=next-but-second',
      ].join(`${made.gap};${made.gap}`),
  }));

test('the link with the relation next is found among any others', () => {
  fc.assert(
    fc.property(fc.array(link), link, fc.array(link), gap, (before, next, after, space) => {
      const links = [
        ...before.map((l) => l.text(false)),
        next.text(true),
        ...after.map((l) => l.text(false)),
      ];
      const header = links.join(`${space},${space}`);
      expect(nextLink(header)).toEqual({ kind: 'link', reference: next.reference });
      const others = [...before, ...after].map((l) => l.text(false)).join(',');
      expect(nextLink(others)).toEqual({ kind: 'none' });
    }),
  );
});

test.each([
  ['</a?page=2>; rel=next', '/a?page=2'],
  ['<https://api.test/a?ids=1,2,3>; rel="next", </a>; rel="prev"', 'https://api.test/a?ids=1,2,3'],
  ['</a>; rel="prev"; title="a, b; rel=next", </b>; title*=UTF-8\'\'x; rel="last NEXT"', '/b'],
  ['</a>; rel="first"; rel="next", </b>;rel=next', '/b'],
  [', </b> ; rel = "next" ;, ', '/b'],
  ['< /b >; rel=next', '/b'],
])('%s leads on', (header, reference) => {
  expect(nextLink(header)).toEqual({ kind: 'link', reference });
});

test.each(['', '</a>', '</a>; rel=prev', '</a>; rel', '</a>; title="rel=next"'])(
  '%j leads nowhere',
  (header) => expect(nextLink(header)).toEqual({ kind: 'none' }),
);

test.each(['/a; rel=next', '</a; rel=next', '</a>; rel="next', '</a>; rel="next" </b>', '</a> x'])(
  '%s is no list of links',
  (header) => expect(nextLink(header)).toEqual({ kind: 'malformed' }),
);

test('a header of any length is read in one pass', () => {
  const long = `${' ,'.repeat(20_000)}<${'a'.repeat(20_000)}>${' ;'.repeat(20_000)} rel="${'\\"'.repeat(20_000)}`;
  expect(nextLink(long)).toEqual({ kind: 'malformed' });
});
