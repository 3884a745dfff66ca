import { Injectable, Logger } from '@nestjs/common';
import { nextBankDay } from '../../../common/time/bank-days.js';
import { Clock } from '../../../common/time/clock.js';
import { isCurrency } from '../../../common/money/currencies.js';
import { Config } from '../../../config/config.js';
import { Database } from '../../../database/database.js';
import type { Mode } from '../../../database/merchants/api-key.entity.js';
import {
  BANK_FILE_FORMATS,
  type BankFileFormat,
  type PayoutFile,
} from '../../../database/payouts/payout-file.entity.js';
import {
  type PlatformFile,
  type PlatformPayout,
  type PlatformTotal,
  type FileContent,
  type FileDownload,
  PlatformPayoutRepository,
} from '../../../database/read-models/platform-payout.repository.js';
import type { TransactionHook } from '../../../database/transaction-hook.js';
import { Problem } from '../../../http/problems/problem.js';
import { PayoutFilesService } from '../../../payouts/payout-files.service.js';
import { whyWithheld } from '../../../payouts/withheld.js';
import { AuditService } from '../../../people/audit.service.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { notFound } from '../../../people/refusal.js';
import { type ListPage, type ListQuery, PAGE, pageOf } from '../../kit/list-query.js';

export interface FileKey {
  readonly mode: Mode;
  readonly id: string;
}

export interface FilePage {
  readonly file: PlatformFile;
  readonly payouts: ListPage<PlatformPayout>;
  readonly downloads: readonly FileDownload[];
}

/** Preview of a file created now. */
export interface FileProposal {
  readonly mode: Mode;
  readonly total: PlatformTotal;
  /** Midnight in UTC. */
  readonly executionDay: Date;
  /** First page of the payouts. */
  readonly payouts: readonly PlatformPayout[];
  readonly canPay: boolean;
}

/** Operators' actions on a whole file. */
export type FileAction = 'submitted' | 'paid' | 'not-sent';

/** Date on which the bank executes a file created at that time, as midnight in UTC. */
export const executionDay = (createdAt: Date): Date =>
  new Date(nextBankDay(createdAt.toISOString().slice(0, 10)));

/** Creates bank files, serves downloads and records their outcome. */
@Injectable()
export class FilesPageService {
  private readonly logger = new Logger('payouts');

  constructor(
    private readonly database: Database,
    private readonly platform: PlatformPayoutRepository,
    private readonly files: PayoutFilesService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async list(mode: Mode, query: ListQuery): Promise<ListPage<PlatformFile>> {
    return pageOf(query, await this.platform.files(mode, query.after, PAGE + 1));
  }

  /** @throws Refusal 404 */
  async open(mode: Mode, id: string, query: ListQuery): Promise<FilePage> {
    const [file, payouts, downloads] = await Promise.all([
      this.platform.file(mode, id),
      this.platform.ofFile(id, query.after, PAGE + 1),
      this.platform.downloads(id),
    ]);
    if (!file) throw notFound();
    return { file, payouts: pageOf(query, payouts), downloads };
  }

  /** @returns null if no payout of the currency is approved */
  async propose(mode: Mode, currency: string): Promise<FileProposal | null> {
    if (!isCurrency(currency)) return null;
    const [totals, payouts] = await Promise.all([
      this.platform.totals(mode),
      this.platform.approved(mode, currency, null, PAGE),
    ]);
    const total = totals.find((each) => each.status === 'approved' && each.currency === currency);
    if (!total) return null;
    const canPay = this.config.payoutAccount !== undefined;
    return { mode, total, executionDay: executionDay(this.clock.now()), payouts, canPay };
  }

  /** @throws Problem as `PayoutFilesService.export` */
  make(context: SignedInContext, mode: Mode, form: URLSearchParams): Promise<PayoutFile> {
    const currency = form.get('currency') ?? '';
    const request = { mode, currency, format: formatOf(form.get('format')) };
    return this.files.export(request, context.session.userId, this.noted(context, 'created'));
  }

  /**
   * Returns the original file after checking it against its payouts. Each download is audited before the first byte is
   * sent.
   * @throws Refusal 404; Problem `payout_file_withheld`, `payout_file_changed`
   */
  download(context: SignedInContext, mode: Mode, id: string): Promise<FileContent> {
    return this.database.transaction(async (tx) => {
      const file = await this.platform.holdFile(tx, id);
      if (file?.mode !== mode) throw notFound();
      const withheld = whyWithheld((await this.platform.fileIn(tx, mode, id))!);
      if (withheld) throw new Problem('payout_file_withheld', { detail: withheld });
      if (!(await this.platform.isSound(tx, id))) throw this.changed(id);
      const before = await this.platform.downloadsIn(tx, id);
      await this.audit.record(tx, context, {
        action: 'payout-file.downloaded',
        subject: id,
        data: { mode, sha256: file.sha256.toString('hex'), before: before.length },
      });
      return file;
    });
  }

  /**
   * @param downloads number of downloads shown to the operator
   * @throws Refusal 404; Problem `payout_not_possible`
   */
  async say(
    context: SignedInContext,
    { mode, id }: FileKey,
    word: FileAction,
    downloads: number,
  ): Promise<void> {
    if (!(await this.platform.file(mode, id))) throw notFound();
    const hook = this.noted(context, word);
    if (word === 'submitted') return this.files.submitted(id, hook);
    if (word === 'paid') return this.files.paid(id, hook);
    // The file is locked, so no download can happen between the count and the commit.
    return this.files.notSent(id, context.session.userId, async (tx, file) => {
      if ((await this.platform.downloadsIn(tx, id)).length !== downloads)
        throw downloadedMeanwhile();
      await hook(tx, file);
    });
  }

  private changed(id: string): Problem {
    this.logger.error({ file: id }, 'bank file does not match its payouts: download refused');
    return new Problem('payout_file_changed', {
      detail: 'Somebody changed it, or its payouts, in the database. It is not handed out.',
    });
  }

  private noted(
    context: SignedInContext,
    word: FileAction | 'created',
  ): TransactionHook<PayoutFile> {
    return (tx, { id, mode, currency, payouts, amount }) =>
      this.audit.record(tx, context, {
        action: `payout-file.${word}`,
        subject: id,
        data: { mode, currency, payouts, amount },
      });
  }
}

const downloadedMeanwhile = (): Problem =>
  new Problem('payout_not_possible', {
    detail: 'The file was downloaded meanwhile. Ask who did whether it was sent, and say it then.',
  });

const formatOf = (text: string | null): BankFileFormat =>
  BANK_FILE_FORMATS.find((format) => format === text) ?? BANK_FILE_FORMATS[0];

/** `payouts-live-eur-2026-11-20-019aa2f07c007000….xml` */
export const fileNameOf = ({ mode, currency, createdAt, messageId }: FileContent): string =>
  `payouts-${mode}-${currency.toLowerCase()}-${createdAt.toISOString().slice(0, 10)}-${messageId}.xml`;
