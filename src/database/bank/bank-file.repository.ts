import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Database } from '../database.js';
import { readOf } from '../entity-sql.js';
import type { GatedRepository } from '../gated-repository.js';
import type { Mode } from '../merchants/api-key.entity.js';
import type { BankFileHand } from './bank-file-hand.entity.js';
import { BankFile } from './bank-file.entity.js';
import type { LineState } from './bank-line.entity.js';
import {
  INSERT_FILE,
  INSERT_FILE_HAND,
  INSERT_PART,
  PLACES_OF_FILE,
  TALLY,
} from './bank-file.statements.js';

/** How many lines of a file are in which state. */
export type LineTally = Partial<Record<LineState, number>>;

/** Files of banks. */
@Injectable()
export class BankFileRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(BankFile) private readonly files: GatedRepository<BankFile>,
  ) {}

  find(mode: Mode, sha256: Buffer): Promise<BankFile | null> {
    return this.files.findOneBy({ mode, sha256 });
  }

  /** @returns the file with these bytes, which may have been there before */
  async insert(file: BankFile): Promise<BankFile> {
    const values = readOf(BankFile).map((name) =>
      name === 'warnings' ? JSON.stringify(file.warnings) : file[name],
    );
    // Whoever stores the same bytes at this moment commits them while this waits, and they are not seen yet.
    const [row] = await this.database.query<BankFile>(INSERT_FILE, values);
    return row ?? (await this.find(file.mode, file.sha256))!;
  }

  /** Before its lines are stored. */
  async noteHand(
    fileId: string,
    userId: string,
    act: BankFileHand['act'],
    now: Date,
  ): Promise<void> {
    await this.database.query(INSERT_FILE_HAND, [fileId, userId, act, now]);
  }

  /** A piece of the file as gzip, from 0 on. */
  async writePart(fileId: string, number: number, content: Buffer): Promise<void> {
    await this.database.query(INSERT_PART, [fileId, number, content]);
  }

  /** All its lines are stored. */
  async finish(id: string, warnings: BankFile['warnings'], importedAt: Date): Promise<void> {
    await this.files.update({ id }, { warnings: [...warnings], importedAt });
  }

  async tally(id: string): Promise<LineTally> {
    const rows = await this.database.query<{ state: LineState; lines: number }>(TALLY, [id]);
    return Object.fromEntries(rows.map(({ state, lines }) => [state, lines]));
  }

  /** How many places of the file have a line. */
  async places(id: string): Promise<number> {
    const [row] = await this.database.query<{ places: number }>(PLACES_OF_FILE, [id]);
    return row!.places;
  }
}
