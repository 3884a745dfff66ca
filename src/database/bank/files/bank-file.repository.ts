import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In } from 'typeorm';
import { Database } from '../../database.js';
import { readOf } from '../../entity-sql.js';
import type { LimitedRepository } from '../../limited-repository.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import type { BankFileHand } from './bank-file-hand.entity.js';
import { BankFile } from './bank-file.entity.js';
import type { LineState } from '../lines/bank-line.entity.js';
import {
  INSERT_FILE,
  INSERT_FILE_HAND,
  INSERT_PART,
  PLACES_OF_FILE,
  REREAD,
  TALLY,
} from './bank-file.statements.js';

/** Number of a file's lines by state. */
export type LineTally = Partial<Record<LineState, number>>;

/** Imported bank files. */
@Injectable()
export class BankFileRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(BankFile) private readonly files: LimitedRepository<BankFile>,
  ) {}

  /** @param readings matches any of these */
  find(mode: Mode, sha256: Buffer, readings: readonly string[]): Promise<BankFile | null> {
    return this.files.findOneBy({ mode, sha256, reading: In([...readings]) });
  }

  /**
   * Money that another reading of the same bytes has booked.
   * @returns keys without days; `all` while such an import has not ended
   */
  async reread({ mode, sha256, reading }: BankFile): Promise<ReadonlySet<string> | 'all'> {
    const values = [mode, sha256, reading];
    const rows = await this.database.query<{ money: string | null }>(REREAD, values);
    const money = rows.map((row) => row.money);
    return money.includes(null) ? 'all' : new Set(money as string[]);
  }

  /** @returns the stored file with these bytes and this reading, new or existing */
  async insert(file: BankFile): Promise<BankFile> {
    const values = readOf(BankFile).map((name) =>
      name === 'warnings' ? JSON.stringify(file.warnings) : file[name],
    );
    // A concurrent insert of the same file commits while this statement waits; its row is only visible to a new query.
    const [row] = await this.database.query<BankFile>(INSERT_FILE, values);
    return row ?? (await this.find(file.mode, file.sha256, [file.reading]))!;
  }

  /** Call before its lines are stored. */
  async recordInvolved(
    fileId: string,
    userId: string,
    act: BankFileHand['act'],
    now: Date,
  ): Promise<void> {
    await this.database.query(INSERT_FILE_HAND, [fileId, userId, act, now]);
  }

  /** Stores a gzip chunk of the file. Chunks are numbered from 0. */
  async writePart(fileId: string, number: number, content: Buffer): Promise<void> {
    await this.database.query(INSERT_PART, [fileId, number, content]);
  }

  /** Call once all its lines are stored. */
  async finish(id: string, warnings: BankFile['warnings'], importedAt: Date): Promise<void> {
    await this.files.update({ id }, { warnings: [...warnings], importedAt });
  }

  async tally(id: string): Promise<LineTally> {
    const rows = await this.database.query<{ state: LineState; lines: number }>(TALLY, [id]);
    return Object.fromEntries(rows.map(({ state, lines }) => [state, lines]));
  }

  /** Counts the file's entries that have a line. */
  async places(id: string): Promise<number> {
    const [row] = await this.database.query<{ places: number }>(PLACES_OF_FILE, [id]);
    return row!.places;
  }
}
