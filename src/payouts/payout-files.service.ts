import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { nextBankDay } from '../common/time/bank-days.js';
import { Clock } from '../common/time/clock.js';
import { uuidOf, uuidv7, withoutDashes } from '../common/ids.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import type { BankFileFormat, PayoutFile } from '../database/payouts/payout-file.entity.js';
import { PayoutFileRepository } from '../database/payouts/payout-file.repository.js';
import { PayoutHandRepository } from '../database/payouts/payout-hand.repository.js';
import type { Payout, PayoutStatus } from '../database/payouts/payout.entity.js';
import { PayoutRepository } from '../database/payouts/payout.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problems/problem.js';
import { type Debtor, pain001 } from './bank-file/pain001.js';
import { debtorIn, messageIdOf } from './bank-file/test-file.js';
import { ExportPicker, FILE_PAYOUTS_MAX } from './export-picker.js';
import { PayoutMover } from './payout-mover.js';
import { throwUnusable } from './unusable-account.js';

/** Input of a payout file. */
export interface FileRequest {
  readonly mode: Mode;
  readonly currency: string;
  readonly format: BankFileFormat;
}

const UNAPPROVED = { approvedBy: null, approvedAt: null, approvedHash: null };

/** Payout files: export, submission and results. */
@Injectable()
export class PayoutFilesService {
  constructor(
    private readonly database: Database,
    private readonly payouts: PayoutRepository,
    private readonly files: PayoutFileRepository,
    private readonly hands: PayoutHandRepository,
    private readonly picker: ExportPicker,
    private readonly mover: PayoutMover,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Exports the approved payouts of a currency into one file, the oldest first, up to its limit. Atomic. Payouts to
   * unusable accounts stay approved.
   * @throws Problem `nothing_to_export`, `payout_changed` for a payout that changed since its approval,
   * `bank_account_not_usable` if no payout can be paid, `payout_account_missing` if no debtor account is configured
   */
  export(
    request: FileRequest,
    createdBy: string,
    hook: TransactionHook<PayoutFile> = noHook,
  ): Promise<PayoutFile> {
    const made = this.database.transaction(async (tx) => {
      const { mode, currency } = request;
      const payouts = await this.picker.pick(tx, mode, currency);
      const file = this.fileOf(payouts, request, createdBy);
      await this.files.insert(tx, file);
      await this.mover.moveAll(tx, payouts, 'exported', { fileId: file.id });
      await hook(tx, file);
      return file;
    });
    return made.catch(throwUnusable);
  }

  /**
   * Records that the file was not sent: its payouts can go into another file. If the file was downloaded, a person who
   * took no part must approve them again.
   * @throws Problem `payout_file_not_found`, `payout_not_possible` once the bank has it
   */
  notSent(id: string, saidBy: string, hook: TransactionHook<PayoutFile> = noHook): Promise<void> {
    return this.withFile(id, hook, async (tx, file) => {
      const payouts = await this.exported(tx, file);
      if (!(await this.files.notSent(tx, file.id, this.clock.now()))) throw alreadySettled();
      if (await this.files.isDownloaded(tx, file.id)) {
        await this.hands.noteOnAll(tx, payouts, 'not_sent', saidBy);
        await this.mover.moveAll(tx, payouts, 'pending_approval', { ...UNAPPROVED, fileId: null });
      } else {
        await this.mover.moveAll(tx, payouts, 'approved', { fileId: null });
      }
    });
  }

  /**
   * Records that the bank has accepted the file.
   * @throws Problem `payout_file_not_found`, `payout_not_possible`
   */
  submitted(id: string, hook: TransactionHook<PayoutFile> = noHook): Promise<void> {
    return this.withFile(id, hook, async (tx, file) => {
      await this.mover.moveAll(tx, await this.exported(tx, file), 'submitted', {});
    });
  }

  /**
   * Records that the bank has paid all payouts of the file that it did not reject.
   * @throws Problem `payout_file_not_found`, `payout_not_possible`
   */
  paid(id: string, hook: TransactionHook<PayoutFile> = noHook): Promise<void> {
    return this.withFile(id, hook, async (tx, file) => {
      const payouts = await this.ofFile(tx, file, ['submitted']);
      await this.mover.moveAll(tx, payouts, 'paid', { paidAt: this.clock.now() });
    });
  }

  /**
   * Records the result of one payout: paid, rejected by the bank, or returned, even after it was paid.
   * @throws Problem `payout_not_found`, `payout_not_possible`
   */
  ended(
    payout: Pick<Payout, 'merchantId' | 'mode' | 'id'>,
    to: 'paid' | 'failed' | 'returned',
    statusReason: string | null,
    saidBy: string,
    hook: TransactionHook<Payout> = noHook,
  ): Promise<Payout> {
    return this.mover.withAnyLocked(payout, payout.id, hook, async (tx, locked) => {
      if (to !== 'paid') await this.hands.note(tx, locked, to, [saidBy]);
      const paidAt = to === 'paid' ? { paidAt: this.clock.now() } : {};
      return this.mover.move(tx, locked, to, { statusReason, ...paidAt });
    });
  }

  private async withFile(
    text: string,
    hook: TransactionHook<PayoutFile>,
    work: (tx: EntityManager, file: PayoutFile) => Promise<void>,
  ): Promise<void> {
    const id = uuidOf(text);
    const file = id && (await this.files.find(id));
    if (!file) throw new Problem('payout_file_not_found');
    await this.database.transaction(async (tx) => {
      await work(tx, file);
      await hook(tx, file);
    });
  }

  private exported(tx: EntityManager, file: PayoutFile): Promise<Payout[]> {
    return this.ofFile(tx, file, ['exported']);
  }

  private async ofFile(
    tx: EntityManager,
    file: PayoutFile,
    statuses: readonly PayoutStatus[],
  ): Promise<Payout[]> {
    const payouts = await this.payouts.lockOfFile(tx, file.id, statuses, FILE_PAYOUTS_MAX);
    if (payouts.length === 0) throw alreadySettled();
    return payouts;
  }

  private fileOf(
    payouts: readonly Payout[],
    { mode, currency, format }: FileRequest,
    createdBy: string,
  ): PayoutFile {
    const createdAt = this.clock.now();
    const id = uuidv7(createdAt.getTime());
    const messageId = messageIdOf(mode, id);
    const content = pain001(
      {
        messageId,
        createdAt,
        executionDay: nextBankDay(createdAt.toISOString().slice(0, 10)),
        currency,
        debtor: this.debtor(mode),
        transfers: payouts.map((payout) => ({
          endToEndId: withoutDashes(payout.id),
          amount: payout.amount,
          name: payout.holder,
          iban: payout.iban,
          remittance: payout.remittance ?? `Payout ${withoutDashes(payout.id)}`,
        })),
      },
      format,
    );
    const amount = payouts.reduce((sum, payout) => sum + payout.amount, 0);
    const sha256 = createHash('sha256').update(content).digest();
    return {
      id,
      mode,
      currency,
      format,
      messageId,
      content,
      sha256,
      payouts: payouts.length,
      amount,
      createdBy,
      createdAt,
      notSentAt: null,
    };
  }

  private debtor(mode: Mode): Debtor {
    const { payoutAccount } = this.config;
    if (!payoutAccount) throw new Problem('payout_account_missing');
    return debtorIn(mode, payoutAccount);
  }
}

const alreadySettled = (): Problem =>
  new Problem('payout_not_possible', {
    detail: 'No payout of this file is where that would be possible. Load the page again.',
  });
