import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { dayAt } from '../../common/time/time-zone.js';
import { PayoutExportRepository } from '../../database/payouts/payout-export.repository.js';
import { LINE_HEADERS, PAYOUT_HEADERS } from '../../database/payouts/payout-export.statements.js';
import type { ShownPayout } from '../../database/read-models/payout-page.repository.js';
import type { ExportFile } from '../../exports/export-stream.service.js';
import { listingFile, type ListingRows } from '../../exports/listing-file.js';
import { orEnd } from '../../exports/send-file.js';
import { AuditService, type NewAuditEntry } from '../../people/audit.service.js';
import { mayHere, type MerchantContext } from '../../people/portal-context.js';
import { statusesIn } from './payout-list.js';

/** CSV exports of payouts. Each is audited before the first byte is sent. */
@Injectable()
export class PayoutExportsService {
  constructor(
    private readonly exports: PayoutExportRepository,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Payouts of the filtered list, newest first.
   * @throws Problem `unavailable`
   */
  async payouts(
    context: MerchantContext,
    query: URLSearchParams,
    signal: AbortSignal,
  ): Promise<ExportFile> {
    const { access } = context;
    const statuses = statusesIn(query);
    const filter = { statuses, maskIban: !mayHere(context, 'payouts.manage') };
    const { timeZone } = access;
    const rows = await this.exports.payouts(access, filter, { timeZone, signal });
    const filename = `payouts-${access.mode}-${dayAt(this.clock.now(), timeZone)}.csv`;
    const data = { mode: access.mode, status: statuses.join(',') };
    return this.file(context, { rows, headers: PAYOUT_HEADERS, filename }, { data });
  }

  /**
   * Lines of one payout.
   * @throws Problem `unavailable`
   */
  async lines(
    context: MerchantContext,
    payout: ShownPayout,
    signal: AbortSignal,
  ): Promise<ExportFile> {
    const rows = await this.exports.lines(payout, { timeZone: context.access.timeZone, signal });
    const filename = `payout-${payout.mode}-${payout.id}.csv`;
    return this.file(context, { rows, headers: LINE_HEADERS, filename }, { subject: payout.id });
  }

  private async file(
    context: MerchantContext,
    rows: ListingRows,
    entry: Omit<NewAuditEntry, 'action'>,
  ): Promise<ExportFile> {
    const file = listingFile(rows);
    const download = { action: 'payouts.downloaded', ...entry };
    await orEnd(file.stream, this.audit.recordView(context, download));
    return file;
  }
}
