import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { isCurrency } from '../../../common/currencies.js';
import { Problem } from '../../../common/problem.js';
import { Config } from '../../../config/config.js';
import { Database } from '../../../database/database.js';
import type { Along } from '../../../database/along.js';
import type { Mode } from '../../../database/entities/api-key.entity.js';
import {
  BANK_FILE_FORMATS,
  type BankFileFormat,
  type PayoutFile,
} from '../../../database/entities/payout-file.entity.js';
import {
  type DeskFile,
  type DeskPayout,
  type DeskTotal,
  type FileContent,
  type FileDownload,
  PayoutDeskRepository,
} from '../../../database/repositories/payout-desk.repository.js';
import { nextTargetDay } from '../../../payouts/bank-file/target-days.js';
import { PayoutFilesService } from '../../../payouts/payout-files.service.js';
import { whyWithheld } from '../../../payouts/withheld.js';
import { AuditService } from '../../people/audit.service.js';
import { notFound } from '../../refusal.js';
import type { SignedVisit } from '../../visit.js';
import { type ListPage, type ListQuery, PAGE, pageOf } from '../list-query.js';

export interface FileKey {
  readonly mode: Mode;
  readonly id: string;
}

export interface FilePage {
  readonly file: DeskFile;
  readonly payouts: ListPage<DeskPayout>;
  readonly downloads: readonly FileDownload[];
}

/** What would go into a file that is made now. */
export interface FileProposal {
  readonly mode: Mode;
  readonly total: DeskTotal;
  /** Midnight in UTC. */
  readonly executionDay: Date;
  /** The first of them. */
  readonly payouts: readonly DeskPayout[];
  readonly canPay: boolean;
}

/** What an operator says about a file as a whole. */
export type FileWord = 'submitted' | 'paid' | 'not-sent';

/** Midnight in UTC of the day on which the bank carries a file of that moment out. */
export const executionDay = (createdAt: Date): Date =>
  new Date(nextTargetDay(createdAt.toISOString().slice(0, 10)));

/** Files for the bank, from making to what became of them. */
@Injectable()
export class FilesPageService {
  private readonly logger = new Logger('payouts');

  constructor(
    private readonly database: Database,
    private readonly desk: PayoutDeskRepository,
    private readonly files: PayoutFilesService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async list(mode: Mode, query: ListQuery): Promise<ListPage<DeskFile>> {
    return pageOf(query, await this.desk.files(mode, query.after, PAGE + 1));
  }

  /** @throws Refusal 404 */
  async open(mode: Mode, id: string, query: ListQuery): Promise<FilePage> {
    const [file, payouts, downloads] = await Promise.all([
      this.desk.file(mode, id),
      this.desk.ofFile(id, query.after, PAGE + 1),
      this.desk.downloads(id),
    ]);
    if (!file) throw notFound();
    return { file, payouts: pageOf(query, payouts), downloads };
  }

  /** @returns null when nothing of the currency is approved */
  async propose(mode: Mode, currency: string): Promise<FileProposal | null> {
    if (!isCurrency(currency)) return null;
    const [totals, payouts] = await Promise.all([
      this.desk.totals(mode),
      this.desk.approved(mode, currency, null, PAGE),
    ]);
    const total = totals.find((each) => each.status === 'approved' && each.currency === currency);
    if (!total) return null;
    const canPay = this.config.payoutAccount !== undefined;
    return { mode, total, executionDay: executionDay(this.clock.now()), payouts, canPay };
  }

  /** @throws Problem as `PayoutFilesService.export` */
  make(visit: SignedVisit, mode: Mode, form: URLSearchParams): Promise<PayoutFile> {
    const currency = form.get('currency') ?? '';
    const request = { mode, currency, format: formatOf(form.get('format')) };
    return this.files.export(request, visit.session.userId, this.noted(visit, 'created'));
  }

  /**
   * The file as it was made, and as its payouts still say. Each download is written down before a byte
   * goes out.
   * @throws Refusal 404; Problem `payout_file_withheld`, `payout_file_changed`
   */
  download(visit: SignedVisit, mode: Mode, id: string): Promise<FileContent> {
    return this.database.transaction(async (tx) => {
      const file = await this.desk.holdFile(tx, id);
      if (file?.mode !== mode) throw notFound();
      const withheld = whyWithheld((await this.desk.fileIn(tx, mode, id))!);
      if (withheld) throw new Problem('payout_file_withheld', { detail: withheld });
      if (!(await this.desk.isSound(tx, id))) throw this.changed(id);
      const before = await this.desk.downloadsIn(tx, id);
      await this.audit.record(tx, visit, {
        action: 'payout-file.downloaded',
        subject: id,
        data: { mode, sha256: file.sha256.toString('hex'), before: before.length },
      });
      return file;
    });
  }

  /**
   * @param downloads that whoever says it knows of
   * @throws Refusal 404; Problem `payout_not_possible`
   */
  async say(
    visit: SignedVisit,
    { mode, id }: FileKey,
    word: FileWord,
    downloads: number,
  ): Promise<void> {
    if (!(await this.desk.file(mode, id))) throw notFound();
    const along = this.noted(visit, word);
    if (word === 'submitted') return this.files.submitted(id, along);
    if (word === 'paid') return this.files.paid(id, along);
    // The file is locked by now: nobody downloads it between the count and the end.
    return this.files.notSent(id, visit.session.userId, async (tx, file) => {
      if ((await this.desk.downloadsIn(tx, id)).length !== downloads) throw downloadedMeanwhile();
      await along(tx, file);
    });
  }

  private changed(id: string): Problem {
    this.logger.error({ file: id }, 'the bank file is not what its payouts say: not handed out');
    return new Problem('payout_file_changed', {
      detail: 'Somebody changed it, or its payouts, in the database. It is not handed out.',
    });
  }

  private noted(visit: SignedVisit, word: FileWord | 'created'): Along<PayoutFile> {
    return (tx, { id, mode, currency, payouts, amount }) =>
      this.audit.record(tx, visit, {
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
