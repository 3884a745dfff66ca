const MB = 1_000_000;

/** What a bank file may hold, so that none takes the memory or the time of others. */
export const LIMITS = {
  /** Bytes of a file as it lies there: an archive, too. */
  fileBytes: 200 * MB,
  /** Bytes of text once it is unpacked, of all files of an archive together. 100,000 entries are about 75 MB. */
  textBytes: 200 * MB,
  /** Entries and their transactions, of all statements together. */
  lines: 300_000,
  /** Statements of a file, or of all files of an archive. */
  statements: 10_000,
  /** Transactions of one entry: all of them are there before the entry is understood. */
  transactions: 30_000,
  /** XML elements of one entry, balance or other part of a statement, and of one transaction. */
  elements: 5_000,
  /**
   * XML elements, attributes, references, comments and the like of a file: a flood of them takes time and is no entry.
   * 300,000 entries of 200 MB have 60 each at most, and half of them in fact.
   */
  xmlParts: 20_000_000,
  /** Lines of MT940 and MT942, likewise: 13 of an entry, of which the widest have 9. */
  mtLines: 4_000_000,
  /** Rows of CSV, empty ones too, and their cells: 50 columns of each entry. */
  rows: 400_000,
  cells: 15_000_000,
  /** Rows that are no lines: above the header, and of all others those without a day, such as sums. */
  rowsBeforeHeader: 1_000,
  rowsWithoutDay: 100_000,
  /** Characters of one transaction, or another part of a statement, and of all that MT says of an entry. */
  partText: 40_000,
  /** Characters of all transactions of one entry: all of them are there before the entry is understood. */
  entryText: 10 * MB,
  /** Characters of an own account, and of a currency: both stand in indexes of the database. */
  account: 140,
  currency: 10,
  /** Warnings that are kept; there is one more that says how many are not. */
  warnings: 1_000,
  /** XML elements inside each other. */
  depth: 64,
  /** Characters of one text, comment, tag, or line of a file. */
  text: 10_000,
  /** Files in a ZIP archive. */
  files: 1_000,
  /** What a ZIP archive lists: its files, its folders, and what systems put in beside them. */
  entries: 10_000,
  /** How many times larger than its packed form a text may be, once it is larger than `ratioFrom`. */
  ratio: 300,
  ratioFrom: 10 * MB,
} as const;
