import fc from 'fast-check';

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maxLength}}$`));
const whole = fc.oneof(
  fc.constant('0'),
  digits(25).map((d) => d.replace(/^0+(?=.)/, '')),
);
const numberSource = fc
  .tuple(
    fc.constantFrom('', '-'),
    whole,
    fc.oneof(
      fc.constant(''),
      fc.constant('.0'),
      digits(20).map((d) => `.${d}`),
    ),
    fc.constantFrom('', '', '', 'e3', 'E-2', 'e+10', 'E400'),
  )
  .map((parts) => parts.join(''));

const scalar = fc.oneof(
  numberSource,
  numberSource,
  fc.string().map((s) => JSON.stringify(s)),
  fc.constantFrom('true', 'null', '"2031-04-16T11:54:35.060Z"', '": 1.0,"', '{}', '[]'),
);
/** JSON of values whose numbers may have more digits than a double; no name twice. */
export const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), tie('value')), {
        maxLength: 4,
        selector: ([name]) => name,
      })
      .map((members) => `{${members.map(([n, v]) => `"${n}":${v}`).join(',')}}`),
  ),
})).value;
