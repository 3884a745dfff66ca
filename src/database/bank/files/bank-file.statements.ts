import type { Statement } from '../../database.js';
import { columnsOf, insertOf, parametersOf, readOf } from '../../entity-sql.js';
import { BankFileHand } from './bank-file-hand.entity.js';
import { BankFilePart } from './bank-file-part.entity.js';
import { BankFile } from './bank-file.entity.js';

const FILE = parametersOf(readOf(BankFile));

/** The first file with the same bytes and reading wins. */
export const INSERT_FILE: Statement = {
  name: 'bank_file_insert',
  text: `WITH inserted AS (
      ${insertOf(BankFile, FILE)} ON CONFLICT (mode, sha256, reading) DO NOTHING RETURNING *)
    SELECT ${columnsOf('f', BankFile)} FROM inserted f
    UNION ALL SELECT ${columnsOf('f', BankFile)} FROM bank_files f
      WHERE f.mode = ${FILE.mode} AND f.sha256 = ${FILE.sha256}
        AND f.reading = ${FILE.reading} LIMIT 1`,
};

const HAND = { fileId: '$1', userId: '$2', act: '$3', createdAt: '$4' };

export const INSERT_FILE_HAND: Statement = {
  name: 'bank_file_hand_insert',
  text: `${insertOf(BankFileHand, HAND)} ON CONFLICT DO NOTHING`,
};

const PART = { fileId: '$1', number: '$2', content: '$3' };

export const INSERT_PART: Statement = {
  name: 'bank_file_part_insert',
  text: `${insertOf(BankFilePart, PART)} ON CONFLICT DO NOTHING`,
};

/** Counts a file's distinct lines by state. */
export const TALLY: Statement = {
  name: 'bank_file_tally',
  text: `SELECT l.state, count(*)::integer AS lines FROM bank_lines l
    WHERE l.id IN (SELECT p.line_id FROM bank_line_places p
      JOIN bank_statements s ON s.id = p.statement_id WHERE s.file_id = $1) GROUP BY l.state`,
};

export const PLACES_OF_FILE: Statement = {
  name: 'bank_file_places',
  text: `SELECT count(*)::integer AS places FROM bank_line_places p
    JOIN bank_statements s ON s.id = p.statement_id WHERE s.file_id = $1`,
};

/** Money that another reading of the same bytes has booked; null for an import that has not ended. */
export const REREAD: Statement = {
  name: 'bank_file_reread',
  text: `SELECT DISTINCT CASE WHEN f.imported_at IS NOT NULL THEN regexp_replace(l.key, '[^|]*$', '') END AS money
    FROM bank_files f LEFT JOIN bank_statements s ON s.file_id = f.id
    LEFT JOIN bank_line_places p ON p.statement_id = s.id AND p.status IS DISTINCT FROM 'announced'
    LEFT JOIN bank_lines l ON l.id = p.line_id
    WHERE f.mode = $1 AND f.sha256 = $2 AND f.reading <> $3 AND (f.imported_at IS NULL OR l.id IS NOT NULL)`,
};
