/** Query for stored lines that may be the same bookings as lines of a file. */
export interface CandidateQuery {
  readonly batchKeys: readonly string[];
  readonly marked: readonly MarkedLines[];
  /** Lines with these keys, regardless of marks, that the statement does not contain yet. */
  readonly anyOf: readonly OrdinalRange[];
  /** Key ranges of announced lines to consider, regardless of marks. */
  readonly announced: readonly KeyRange[];
  /** Key ranges of any lines with one of the references. */
  readonly referred: readonly KeyRange[];
  /** Values of `transactionId`, `uetr` and `instructionId`. */
  readonly references: readonly string[];
}

/** Distinguishes lines of the same amount and day: by a reference, or by its absence. */
export interface Mark {
  readonly of: 'bank' | 'payer';
  /**
   * `=` and the bank's reference or the payer's end-to-end id, truncated as in the index. Without one: empty for
   * `payer`; for `bank` empty without an end-to-end id, `-` with one.
   */
  readonly mark: string;
}

/** A range of lines with a mark, in index order: from key and ordinal `first` to `last`. */
export interface MarkedLines extends Mark, KeyRange {
  readonly first: number;
  readonly last: number;
  /** Restricts to announced lines, or to lines with one of `CandidateQuery.references` if the mark is no reference. */
  readonly among: 'all' | 'announced' | 'referred';
}

/** A range of ordinals of one key, both ends included. */
export interface OrdinalRange {
  readonly key: string;
  readonly low: number;
  readonly high: number;
}

export interface KeyRange {
  readonly low: string;
  readonly high: string;
}
