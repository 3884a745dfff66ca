import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { Injectable, Logger } from '@nestjs/common';
import { StatementRefusedError } from '../../bank-statements/refused.js';
import type { StatementFile } from '../../bank-statements/source.js';
import type { StatementLine, StatementWarning } from '../../bank-statements/statement.js';
import { Clock } from '../../common/time/clock.js';
import { uuidv7 } from '../../common/ids.js';
import { Config } from '../../config/config.js';
import type { BankFile, BankFileSource } from '../../database/bank/files/bank-file.entity.js';
import { BankFileRepository } from '../../database/bank/files/bank-file.repository.js';
import { CollectionAccountRepository } from '../../database/bank/collection-accounts/collection-account.repository.js';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import { type CheckedFile, checkFile } from './checked-file.js';
import { piecesOf } from './file-pieces.js';
import { FileTries } from './file-tries.js';
import { GivenOrdinals } from '../recognition/given-ordinals.js';
import { ImportThrottle } from './import-throttle.js';
import { incomingLine, isCsv } from '../recognition/incoming-line.js';
import { LineStore } from '../recognition/line-store.js';
import { MatcherService } from '../matching/matcher.service.js';
import { ownAccount } from './own-account.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';
import { readingOf, type WrittenProfile } from './profiles.js';
import { type PrivateCopy, withPrivateCopy } from './private-copy.js';
import type { MatchScore } from '../recognition/same-booking.js';
import { refusal } from './refusal.js';
import { unprovenBy } from './statement-proof.js';
import { UnavailableError } from '../../overload/errors.js';

/** Minimum match score per pass: a common reference, the same payer or text, no contradiction, none. */
const ENOUGH = [3, 2, 1, 0] as const;
/** Size of a part of the stored gzip file. */
const PART_BYTES = 1_000_000;
/** Times to wait for locked orders, so that the report has the final state of their lines. */
const LOOKS_MAX = 3;
const LOOK_PAUSE_MS = 500;
/** Reading of a file that needs no profile. */
const BY_ITSELF = '';

export interface ImportOptions {
  readonly mode: Mode;
  /** Name of the file at its source. */
  readonly name: string;
  readonly source: BankFileSource;
  /** Portal user who uploaded the file. */
  readonly broughtBy?: string | undefined;
  /** How to read CSV. */
  readonly profile?: WrittenProfile | undefined;
}

export interface ImportResult {
  readonly file: string;
  /** Hexadecimal; null if it is not a regular file. */
  readonly sha256: string | null;
  readonly format: string | null;
  readonly result: 'imported' | 'known' | 'refused';
  /** Lines not seen in earlier files. */
  readonly new: number;
  /** Lines known from earlier files. */
  readonly known: number;
  readonly matched: number;
  readonly suggested: number;
  readonly unmatched: number;
  /** All other lines. */
  readonly notPayments: number;
  readonly warnings: readonly StatementWarning[];
  /** Reason of the refusal. */
  readonly reason?: string;
}

/** Imports bank files. Stores each booking once, even if several files contain it. */
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
    private readonly throttle: ImportThrottle,
    private readonly tries: FileTries,
  ) {}

  /** A refused file stores nothing. The same bytes again change nothing, unless another profile reads them. */
  async import(file: StatementFile, options: ImportOptions): Promise<ImportResult> {
    let sha256: Buffer | null = null;
    try {
      return await this.throttle.run(() =>
        withPrivateCopy(file, (copy) => {
          ({ sha256 } = copy);
          return this.tries.run(options.mode, sha256, () => this.importCopy(copy, options));
        }),
      );
    } catch (error) {
      if (!(error instanceof StatementRefusedError)) throw error;
      return refusal(options.name, sha256, error.message);
    }
  }

  private async importCopy(copy: PrivateCopy, options: ImportOptions): Promise<ImportResult> {
    const { mode, profile } = options;
    const before = await retryWhileUnavailable(() => this.known(mode, copy.sha256, profile));
    if (before) {
      // The earlier import may have ended before it matched all lines.
      await this.match();
      return this.resultOf(before, options.name, { new: 0, result: 'known' });
    }
    const checked = await checkFile(copy.file, options, this.clock.now());
    const row = this.fileOf(copy, checked, options);
    const file = await retryWhileUnavailable(() => this.files.insert(row));
    await this.recordInvolved(file.id, checked, options);
    await this.keep(file.id, copy.file);
    const accounts = await this.ownAccounts(options.mode);
    const reread = await retryWhileUnavailable(() => this.files.reread(file));
    const statements = checked.statements.map((head) => ({ ...head, reread }));
    const stored = await this.store({ file, copy: copy.file, statements, options, accounts });
    const warnings = [...checked.warnings, ...stored.warnings];
    await retryWhileUnavailable(() => this.files.finish(file.id, warnings, this.clock.now()));
    await this.match();
    const result = { new: stored.inserted, result: 'imported' as const };
    return this.resultOf({ ...file, warnings }, options.name, result);
  }

  /** Earlier import of the same bytes with the same reading; another profile may read what this one misreads. */
  async known(
    mode: Mode,
    sha256: Buffer,
    profile: WrittenProfile | undefined,
  ): Promise<BankFile | null> {
    const readings = profile ? [BY_ITSELF, readingOf(profile)] : [BY_ITSELF];
    const file = await this.files.find(mode, sha256, readings);
    return file?.importedAt ? file : null;
  }

  /** The matching job takes over what is left. */
  private async match(): Promise<void> {
    try {
      for (let looks = 1; !(await this.matcher.matchNew()) && looks < LOOKS_MAX; looks++)
        await sleep(LOOK_PAUSE_MS);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      this.logger.warn({ event: 'bank.matching.postponed', err: error }, 'lines wait for the job');
    }
  }

  /** Records the user also when an interrupted import continues, since another profile reads the file differently. */
  private async recordInvolved(
    fileId: string,
    { format }: CheckedFile,
    { broughtBy, profile }: ImportOptions,
  ): Promise<void> {
    const writtenBy = isCsv(format) ? profile?.writtenBy : undefined;
    const now = this.clock.now();
    if (broughtBy)
      await retryWhileUnavailable(() =>
        this.files.recordInvolved(fileId, broughtBy, 'file_brought', now),
      );
    if (writtenBy)
      await retryWhileUnavailable(() =>
        this.files.recordInvolved(fileId, writtenBy, 'profile_written', now),
      );
  }

  private fileOf(
    { sha256, size }: PrivateCopy,
    { format, warnings }: CheckedFile,
    { mode, name, source, broughtBy, profile }: ImportOptions,
  ): BankFile {
    const reading = profile && isCsv(format) ? readingOf(profile) : BY_ITSELF;
    const createdAt = this.clock.now();
    const id = uuidv7(createdAt.getTime());
    const brought = { source, broughtBy: broughtBy ?? null, createdAt, importedAt: null };
    return { id, mode, sha256, reading, name, size, format, warnings, ...brought };
  }

  /** Stores the bytes as evidence of what was read. */
  private async keep(fileId: string, file: StatementFile): Promise<void> {
    const bytes = 'path' in file ? createReadStream(file.path) : Readable.from([file.bytes]);
    let number = 0;
    let part: Buffer[] = [];
    let length = 0;
    const write = async (): Promise<void> => {
      const content = Buffer.concat(part);
      await retryWhileUnavailable(() => this.files.writePart(fileId, number, content));
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

  /** Repeats the passes with a lower minimum score until no statement has open lines. */
  private async store(storing: StoringFile): Promise<StoredLines> {
    const all = { inserted: 0, warnings: [] as StatementWarning[] };
    const given = new Map<number, GivenOrdinals>();
    // Unproven rows come last, so that they match no booking of a proven row.
    for (const isRest of [false, true]) {
      let open: ReadonlySet<number> = new Set(
        [...storing.statements.keys()].filter((n) => !isRest || storing.statements[n]!.unproven),
      );
      for (const weakest of ENOUGH) {
        if (open.size === 0) break;
        const stored = await this.storeOpen(storing, open, given, { weakest, isRest });
        all.inserted += stored.inserted;
        all.warnings.push(...stored.warnings);
        open = stored.open;
      }
    }
    return all;
  }

  /**
   * @param open numbers of statements with open lines
   * @param givenBy ordinals that each statement has matched so far
   */
  private async storeOpen(
    { file, copy, statements, options, accounts }: StoringFile,
    open: ReadonlySet<number>,
    givenBy: Map<number, GivenOrdinals>,
    { weakest, isRest }: Round,
  ): Promise<StoredLines & { readonly open: ReadonlySet<number> }> {
    const all = { inserted: 0, warnings: [] as StatementWarning[], open: new Set<number>() };
    for await (const piece of piecesOf(copy, options, this.throttle.steps.piece)) {
      const { number, isWhole } = piece;
      if (!open.has(number)) continue;
      const head = statements[number]!;
      const account = ownAccount(head.account, accounts);
      const isProven = (line: StatementLine) => !unprovenBy(head, line, this.clock.now());
      const lines = piece.lines
        .filter(({ entry }) => isRest === (head.unproven?.has(entry) ?? false))
        .map((line) => incomingLine(line, head.format, isProven(line)));
      const given = givenBy.get(number) ?? new GivenOrdinals();
      givenBy.set(number, given);
      const isLast = piece.isLast && isRest === Boolean(head.unproven) && !all.open.has(number);
      const enough = { given, weakest: isWhole ? 0 : weakest } as const;
      const stored = await this.throttle.step(() =>
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
    } = await retryWhileUnavailable(() => this.files.tally(id));
    const known = (await retryWhileUnavailable(() => this.files.places(id))) - added;
    const notPayments = Object.values(others).reduce((sum, lines) => sum + lines, 0);
    const states = { matched, suggested, unmatched, notPayments };
    const head = { file: name, sha256: sha256.toString('hex'), format, result };
    return { ...head, new: added, known, ...states, warnings };
  }
}

/** The lines to store. */
interface Round {
  readonly weakest: MatchScore;
  /** Whether to store the unproven rows of CSV, or all other lines. */
  readonly isRest: boolean;
}

interface StoringFile {
  readonly file: BankFile;
  readonly copy: StatementFile;
  readonly statements: CheckedFile['statements'];
  readonly options: ImportOptions;
  /** The platform's accounts. */
  readonly accounts: readonly string[];
}

type StoredLines = Pick<ImportResult, 'warnings'> & { readonly inserted: number };
