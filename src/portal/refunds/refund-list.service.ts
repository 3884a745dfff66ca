import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { dayAt } from '../../common/time/time-zone.js';
import {
  type ListedRefund,
  type RefundCounts,
  RefundListRepository,
} from '../../database/refunds/refund-list.repository.js';
import { REFUND_HEADERS } from '../../database/refunds/refund-list.statements.js';
import type { ExportFile } from '../../exports/export-stream.service.js';
import { listingFile } from '../../exports/listing-file.js';
import { orEnd } from '../../exports/send-file.js';
import { AuditService } from '../../people/audit.service.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { type AskedRefunds, refundQuery, refundsIn } from './refund-filter.js';

/** A page of the list. */
export interface RefundsPage extends AskedRefunds {
  readonly rows: readonly ListedRefund[];
  /** Cursors of the newer and older page, or null. */
  readonly newer: string | null;
  readonly older: string | null;
  readonly counts: RefundCounts;
  readonly now: Date;
}

/** Reads a merchant's refunds for their list and its file. Views by support, and all downloads, are audited. */
@Injectable()
export class RefundListService {
  constructor(
    private readonly refunds: RefundListRepository,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async list(context: MerchantContext, query: URLSearchParams): Promise<RefundsPage> {
    const { access } = context;
    const asked = refundsIn(query, access.timeZone);
    if (access.role === 'support') await this.record(context, 'refunds.listed', asked);
    const [{ rows, hasNewer, hasOlder }, counts] = await Promise.all([
      this.refunds.page(access, asked.filter, asked.window),
      this.refunds.counts(access, asked.filter),
    ]);
    const [newest, oldest] = [rows[0], rows.at(-1)];
    return {
      ...asked,
      rows,
      newer: hasNewer && newest ? newest.id : null,
      older: hasOlder && oldest ? oldest.id : null,
      counts,
      now: this.clock.now(),
    };
  }

  /**
   * All refunds of the filter, newest first.
   * @throws Problem `unavailable`
   */
  async file(
    context: MerchantContext,
    query: URLSearchParams,
    signal: AbortSignal,
  ): Promise<ExportFile> {
    const { access } = context;
    const { timeZone, mode } = access;
    const asked = refundsIn(query, timeZone);
    const rows = await this.refunds.file(access, asked.filter, { timeZone, signal });
    const filename = `refunds-${mode}-${dayAt(this.clock.now(), timeZone)}.csv`;
    const file = listingFile({ rows, headers: REFUND_HEADERS, filename });
    await orEnd(file.stream, this.record(context, 'refunds.downloaded', asked));
    return file;
  }

  /** Records that there was a search, but not its text, as for orders. */
  private record(context: MerchantContext, action: string, asked: AskedRefunds): Promise<void> {
    const filter = refundQuery(asked, { q: '' });
    const searched = asked.filter.search !== null;
    const data = { mode: context.access.mode, filter, searched };
    return this.audit.recordView(context, { action, data });
  }
}
