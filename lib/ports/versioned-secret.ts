/** A secret that programs change as well: by compare-and-set, each text a version of its own. */

export interface SecretVersion {
  readonly id: string;
  readonly text: string;
}

export interface VersionedSecret {
  /**
   * The text that counts, or the one that was written last to follow it.
   *
   * @returns undefined only of `next`: none was ever written.
   * @throws {Error} in one sentence, without the secret, when it cannot be read.
   */
  read(which: 'current' | 'next'): Promise<SecretVersion | undefined>;
  /** Keeps a text, which does not count yet; again with the same id and text, it changes nothing. */
  write(next: SecretVersion): Promise<void>;
  /** Lets `to`, a version that was written, count instead of `from`; false where another counts. */
  replace(from: string, to: string): Promise<boolean>;
}
