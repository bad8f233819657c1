/** One measurement and the bound it must keep; less is better. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  readonly bound: number;
}
