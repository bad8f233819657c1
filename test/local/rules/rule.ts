/** One thing that AWS does and the local cloud does alike. */
export interface Rule {
  /** A fact in the present tense: the title of its test. */
  readonly rule: string;
  /** The number in it, with its unit, where it has one. */
  readonly limit?: string;
  /** The AWS page or API shape that says so; where AWS says nothing, why we chose it. */
  readonly source: string;
  /** AWS leaves it undocumented. */
  readonly isOurChoice?: true;
}

export type Rules = Readonly<Record<string, Rule>>;
