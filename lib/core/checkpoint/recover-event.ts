/** What becomes of the documents that event source mappings leave of what they gave up. */

interface OfDocument {
  readonly pipeline: string;
  readonly consumer: string;
  /** Of the object. */
  readonly key: string;
  /** Why it was given up, in the words of AWS. */
  readonly condition: string;
  readonly attempts: number;
  readonly records: number;
}

export type RecoverEvent =
  /** Every record of it is finished or kept, and the document is gone. */
  | ({
      readonly event: 'DocumentRecovered';
      /** Conservation: records = recovered + refused + givenUp. */
      readonly recovered: number;
      /** Set aside by the consumer, with its reason. */
      readonly refused: number;
      /** Set aside, as they do not end even when sent alone. */
      readonly givenUp: number;
    } & OfDocument)
  /** It stays as it is, and is read again. */
  | ({
      readonly event: 'DocumentWaits';
      /** `breaker`: the consumer stands still. `consumer`: it ends nothing. `time`: there is no more. */
      readonly why: 'breaker' | 'consumer' | 'time';
      readonly detail?: string;
    } & OfDocument)
  /** The world failed while it was at hand: it stays, and those after it have their turn. */
  | {
      readonly event: 'DocumentFailed';
      readonly pipeline: string;
      readonly key: string;
      readonly error: string;
    }
  /** It holds no records that can be read, and stays until a person looks. */
  | { readonly event: 'DocumentUnread'; readonly pipeline: string; readonly key: string };
