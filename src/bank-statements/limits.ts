const MB = 1_000_000;

/** Limits of one bank file, so that no file exhausts memory or delays other work. */
export const LIMITS = {
  /** Bytes of the file as received, packed or not. */
  fileBytes: 200 * MB,
  /** Bytes of unpacked text, summed over all files of an archive. 100,000 entries are about 75 MB. */
  textBytes: 200 * MB,
  /** Lines (entries, or transactions of entries) of all statements together. */
  lines: 300_000,
  /** Statements of a file or archive. */
  statements: 10_000,
  /** Transactions of one entry, which are in memory until the entry ends. */
  transactions: 30_000,
  /** XML elements of one entry, balance or other part of a statement, and of one transaction. */
  elements: 5_000,
  /**
   * XML elements, attributes, character references, comments and similar parts of a file, which cost time without
   * being entries. 300,000 entries in 200 MB have at most 60 each, in practice half as many.
   */
  xmlParts: 20_000_000,
  /** Lines of MT940 and MT942, for the same reason: 13 per entry, while the longest known entries have 9. */
  mtLines: 4_000_000,
  /** CSV rows, including empty ones, and their cells: 50 columns per entry. */
  rows: 400_000,
  cells: 15_000_000,
  /** CSV rows above the header row, and rows below it without a booking date, such as totals. */
  rowsBeforeHeader: 1_000,
  rowsWithoutDay: 100_000,
  /** Characters of one transaction or other part of a statement, of one MT field, and of all :86: of an MT entry. */
  partText: 40_000,
  /** Characters of all transactions of one entry, which are in memory until the entry ends. */
  entryText: 10 * MB,
  /** Characters of an own account, and of a currency: both are in database indexes. */
  account: 140,
  currency: 10,
  /** Characters of a reference of an entry that each of its transactions repeats. ISO 20022 allows 35. */
  reference: 140,
  /** Maximum warnings; one more states the number of dropped ones. */
  warnings: 1_000,
  /** Nesting depth of XML elements. */
  depth: 64,
  /** Characters of one text, comment, tag, or line of a file. */
  text: 10_000,
  /** Files in a ZIP archive. */
  files: 1_000,
  /** Directory entries of a ZIP archive: files, folders, and files that operating systems add. */
  entries: 10_000,
  /** Compression ratio, checked for texts above `ratioFrom` bytes. */
  ratio: 300,
  ratioFrom: 10 * MB,
} as const;
