import { pipeline, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { dayAt } from '../../common/time-zone.js';
import type { ShownPayout } from '../../database/repositories/payout-page.repository.js';
import { PayoutDownloadRepository } from '../../database/repositories/payout-download.repository.js';
import {
  LINE_HEADERS,
  PAYOUT_HEADERS,
} from '../../database/repositories/payout-download.statements.js';
import { csvLine } from '../download/columns.js';
import { CONTENT_TYPE, type Download } from '../download/download.service.js';
import { RowEnds } from '../download/row-ends.js';
import { orEnd } from '../download/send-file.js';
import { AuditService, type Deed } from '../people/audit.service.js';
import { mayHere, type PlacedVisit } from '../visit.js';
import { statusesIn } from './payout-list.js';

/** RFC 4180. */
const LINE_END = '\r\n';
const DELIMITER = ',';

/** Payouts as files: each is written down before its first byte leaves. */
@Injectable()
export class PayoutDownloadsService {
  constructor(
    private readonly downloads: PayoutDownloadRepository,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * What the list shows under this query, from the newest to the oldest.
   * @throws Problem `unavailable`
   */
  async payouts(
    visit: PlacedVisit,
    query: URLSearchParams,
    signal: AbortSignal,
  ): Promise<Download> {
    const { place } = visit;
    const statuses = statusesIn(query);
    const filter = { statuses, maskIban: !mayHere(visit, 'payouts.manage') };
    const { timeZone } = place;
    const rows = await this.downloads.payouts(place, filter, { timeZone, signal });
    const filename = `payouts-${place.mode}-${dayAt(this.clock.now(), timeZone)}.csv`;
    const data = { mode: place.mode, status: statuses.join(',') };
    return this.file(visit, { rows, headers: PAYOUT_HEADERS, filename }, { data });
  }

  /**
   * What one payout is made of.
   * @throws Problem `unavailable`
   */
  async lines(visit: PlacedVisit, payout: ShownPayout, signal: AbortSignal): Promise<Download> {
    const rows = await this.downloads.lines(payout, { timeZone: visit.place.timeZone, signal });
    const filename = `payout-${payout.mode}-${payout.id}.csv`;
    return this.file(visit, { rows, headers: LINE_HEADERS, filename }, { subject: payout.id });
  }

  private async file(
    visit: PlacedVisit,
    { rows, headers, filename }: Rows,
    deed: Omit<Deed, 'action'>,
  ): Promise<Download> {
    const stream = new RowEnds(LINE_END);
    stream.push(Buffer.from(csvLine(headers, DELIMITER) + LINE_END));
    // Each ends with the other; whoever reads the stream hears of an error there.
    pipeline(rows, stream, () => undefined);
    await orEnd(stream, this.audit.look(visit, { action: 'payouts.downloaded', ...deed }));
    return { filename, contentType: CONTENT_TYPE, stream };
  }
}

interface Rows {
  readonly rows: Readable;
  readonly headers: readonly string[];
  readonly filename: string;
}
