import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { Injectable, Logger } from '@nestjs/common';
import { StatementRefusedError } from '../bank-statements/refused.js';
import type { StatementFile } from '../bank-statements/source.js';
import type { StatementWarning } from '../bank-statements/statement.js';
import { Clock } from '../common/clock.js';
import { uuidv7 } from '../common/ids.js';
import { Config } from '../config/config.js';
import type { BankFile, BankFileSource } from '../database/bank/bank-file.entity.js';
import { BankFileRepository } from '../database/bank/bank-file.repository.js';
import { CollectionAccountRepository } from '../database/bank/collection-account.repository.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import { type CheckedFile, checkFile } from './checked-file.js';
import { piecesOf } from './file-pieces.js';
import { FileTries } from './file-tries.js';
import { GivenOrdinals } from './given-ordinals.js';
import { ImportPace } from './import-pace.js';
import { incomingLine } from './incoming-line.js';
import { LineStore } from './line-store.js';
import { MatcherService } from './matcher.service.js';
import { ownAccount } from './own-account.js';
import { isUnavailableProblem, patiently } from './patience.js';
import type { WrittenProfile } from './profiles.js';
import { type PrivateCopy, withPrivateCopy } from './private-copy.js';
import type { Likeness } from './same-booking.js';

/** Likeness that is enough, from one time to the next: a reference in common, the payer or the text, anything, nothing. */
const ENOUGH = [3, 2, 1, 0] as const;
/** Of the gzip file that is kept. */
const PART_BYTES = 1_000_000;
/** Who holds the order of a line is waited for so often, so that the report counts the line as it ends. */
const LOOKS_MAX = 3;
const LOOK_PAUSE_MS = 500;

export interface ImportOptions {
  readonly mode: Mode;
  /** What the file is called where it comes from. */
  readonly name: string;
  readonly source: BankFileSource;
  /** Who brought it, at the portal. */
  readonly broughtBy?: string | undefined;
  /** How to read CSV. */
  readonly profile?: WrittenProfile | undefined;
}

export interface ImportResult {
  readonly file: string;
  /** In hexadecimal; null for what is no file. */
  readonly sha256: string | null;
  readonly format: string | null;
  readonly result: 'imported' | 'known' | 'refused';
  /** Lines that nobody had told of. */
  readonly new: number;
  /** Lines that were there already. */
  readonly known: number;
  readonly matched: number;
  readonly suggested: number;
  readonly unmatched: number;
  /** All other lines. */
  readonly notPayments: number;
  readonly warnings: readonly StatementWarning[];
  /** Why it was refused. */
  readonly reason?: string;
}

/** Brings files of banks in: stores each booking once, whichever files tell of it. */
@Injectable()
export class BankImportService {
  private readonly logger = new Logger('statements');

  constructor(
    private readonly files: BankFileRepository,
    private readonly lines: LineStore,
    private readonly matcher: MatcherService,
    private readonly accounts: CollectionAccountRepository,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly pace: ImportPace,
    private readonly tries: FileTries,
  ) {}

  /** A file that is refused leaves nothing; the same bytes again change nothing. */
  async import(file: StatementFile, options: ImportOptions): Promise<ImportResult> {
    let sha256: Buffer | null = null;
    try {
      return await withPrivateCopy(file, (copy) => {
        ({ sha256 } = copy);
        return this.tries.run(options.mode, sha256, () => this.importCopy(copy, options));
      });
    } catch (error) {
      if (!(error instanceof StatementRefusedError)) throw error;
      return refusal(options.name, sha256, error.message);
    }
  }

  private async importCopy(copy: PrivateCopy, options: ImportOptions): Promise<ImportResult> {
    const before = await patiently(() => this.files.find(options.mode, copy.sha256));
    if (before?.importedAt) {
      // What stored it may have been cut off before it had matched all.
      await this.match();
      return this.resultOf(before, options.name, { new: 0, result: 'known' });
    }
    const checked = await checkFile(copy.file, options);
    const row = this.fileOf(copy, checked, options);
    const file = await patiently(() => this.files.insert(row));
    await this.noteHands(file.id, checked, options);
    await this.keep(file.id, copy.file);
    const accounts = await this.ownAccounts(options.mode);
    const { statements } = checked;
    const storing = { file, copy: copy.file, statements, options, accounts };
    const stored = await this.store(storing);
    const warnings = [...checked.warnings, ...stored.warnings];
    await patiently(() => this.files.finish(file.id, warnings, this.clock.now()));
    await this.match();
    const result = { new: stored.inserted, result: 'imported' as const };
    return this.resultOf({ ...file, warnings }, options.name, result);
  }

  /** What is left of it the job does. */
  private async match(): Promise<void> {
    try {
      for (let looks = 1; !(await this.matcher.matchNew()) && looks < LOOKS_MAX; looks++)
        await sleep(LOOK_PAUSE_MS);
    } catch (error) {
      if (!isUnavailableProblem(error)) throw error;
      this.logger.warn({ err: error }, 'lines wait for their match');
    }
  }

  /** Also of somebody who goes on with a file that was cut off: with another profile it says something else. */
  private async noteHands(
    fileId: string,
    { format }: CheckedFile,
    { broughtBy, profile }: ImportOptions,
  ): Promise<void> {
    const writtenBy = format.includes('csv') ? profile?.writtenBy : undefined;
    const now = this.clock.now();
    if (broughtBy)
      await patiently(() => this.files.noteHand(fileId, broughtBy, 'file_brought', now));
    if (writtenBy)
      await patiently(() => this.files.noteHand(fileId, writtenBy, 'profile_written', now));
  }

  private fileOf(
    { sha256, size }: PrivateCopy,
    { format, warnings }: CheckedFile,
    { mode, name, source, broughtBy }: ImportOptions,
  ): BankFile {
    const createdAt = this.clock.now();
    const id = uuidv7(createdAt.getTime());
    const brought = { source, broughtBy: broughtBy ?? null, createdAt, importedAt: null };
    return { id, mode, sha256, name, size, format, warnings, ...brought };
  }

  /** The bytes stay, as proof of what was read. */
  private async keep(fileId: string, file: StatementFile): Promise<void> {
    const bytes = 'path' in file ? createReadStream(file.path) : Readable.from([file.bytes]);
    let number = 0;
    let part: Buffer[] = [];
    let length = 0;
    const write = async (): Promise<void> => {
      const content = Buffer.concat(part);
      await patiently(() => this.files.writePart(fileId, number, content));
      number += 1;
      part = [];
      length = 0;
    };
    for await (const chunk of bytes.compose(createGzip()) as AsyncIterable<Buffer>) {
      part.push(chunk);
      length += chunk.length;
      if (length >= PART_BYTES) await write();
    }
    if (length > 0) await write();
  }

  /** Goes through its statements until nothing of them is open, each time with less that is enough. */
  private async store(storing: StoringFile): Promise<StoredLines> {
    const all = { inserted: 0, warnings: [] as StatementWarning[] };
    const given = new Map<number, GivenOrdinals>();
    let open: ReadonlySet<number> = new Set(storing.statements.keys());
    for (const weakest of ENOUGH) {
      const stored = await this.storeOpen(storing, open, given, weakest);
      all.inserted += stored.inserted;
      all.warnings.push(...stored.warnings);
      open = stored.open;
      if (open.size === 0) break;
    }
    return all;
  }

  /**
   * @param open numbers of statements of which something is left
   * @param givenBy what each of them has told of until now
   */
  private async storeOpen(
    { file, copy, statements, options, accounts }: StoringFile,
    open: ReadonlySet<number>,
    givenBy: Map<number, GivenOrdinals>,
    weakest: Likeness,
  ): Promise<StoredLines & { readonly open: ReadonlySet<number> }> {
    const all = { inserted: 0, warnings: [] as StatementWarning[], open: new Set<number>() };
    for await (const piece of piecesOf(copy, options, this.pace.steps.piece)) {
      const { number, isWhole } = piece;
      if (!open.has(number)) continue;
      const head = statements[number]!;
      const account = ownAccount(head.account, accounts);
      const lines = piece.lines.map((line) => incomingLine(line, head.format));
      const given = givenBy.get(number) ?? new GivenOrdinals();
      givenBy.set(number, given);
      const isLast = piece.isLast && !all.open.has(number);
      const enough = { given, weakest: isWhole ? 0 : weakest } as const;
      const stored = await this.pace.step(() =>
        this.lines.storePiece({ file, number, head, account, lines, isLast, ...enough }),
      );
      all.inserted += stored.inserted;
      all.warnings.push(...stored.warnings);
      if (stored.open > 0) all.open.add(number);
      if (isLast && stored.open === 0) givenBy.delete(number);
    }
    return all;
  }

  private async ownAccounts(mode: Mode): Promise<string[]> {
    const { payoutAccount } = this.config;
    const collecting = (await this.accounts.list(mode)).map(({ account }) => account);
    return payoutAccount ? [...collecting, payoutAccount.iban] : collecting;
  }

  private async resultOf(
    { id, sha256, format, warnings }: BankFile,
    name: string,
    { new: added, result }: Pick<ImportResult, 'new' | 'result'>,
  ): Promise<ImportResult> {
    const {
      matched = 0,
      suggested = 0,
      unmatched = 0,
      ...others
    } = await patiently(() => this.files.tally(id));
    const known = (await patiently(() => this.files.places(id))) - added;
    const notPayments = Object.values(others).reduce((sum, lines) => sum + lines, 0);
    const states = { matched, suggested, unmatched, notPayments };
    const head = { file: name, sha256: sha256.toString('hex'), format, result };
    return { ...head, new: added, known, ...states, warnings };
  }
}

/** What is stored, and whose. */
interface StoringFile {
  readonly file: BankFile;
  readonly copy: StatementFile;
  readonly statements: CheckedFile['statements'];
  readonly options: ImportOptions;
  /** Of the platform. */
  readonly accounts: readonly string[];
}

interface StoredLines {
  readonly inserted: number;
  readonly warnings: readonly StatementWarning[];
}

const refusal = (file: string, sha256: Buffer | null, reason: string): ImportResult => ({
  file,
  sha256: sha256?.toString('hex') ?? null,
  format: null,
  result: 'refused',
  new: 0,
  known: 0,
  matched: 0,
  suggested: 0,
  unmatched: 0,
  notPayments: 0,
  warnings: [],
  reason,
});
