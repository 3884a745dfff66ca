import { Injectable } from '@nestjs/common';
import type { HistorySum } from '../../database/repositories/history-sums.js';
import type { ExportOwner } from '../../database/repositories/export.repository.js';
import {
  COUNT_MAX,
  type HistoryCount,
  HistoryRepository,
} from '../../database/repositories/history.repository.js';
import { UserRepository } from '../../database/repositories/user.repository.js';
import { auditedFilter, filterQuery } from '../history/history-address.js';
import type { HistoryPlace } from '../history/history-place.js';
import type { AskedHistory } from '../history/history.service.js';
import { AuditService } from '../people/audit.service.js';
import { notFound } from '../refusal.js';
import type { SignedVisit } from '../visit.js';
import type { DownloadChoice } from './download-choice.js';
import { type Download, type DownloadRequest, DownloadService } from './download.service.js';
import { ExportsService, type ExportView } from './exports.service.js';
import type { Manifest } from './manifest.js';
import { orEnd } from './send-file.js';

/** More than so many rows are written in the background. */
export const AT_ONCE_MAX = 100_000;

/** What a file would hold. */
export interface FileContent {
  readonly count: HistoryCount;
  /** Null where so many orders take a while to add up, and nobody has asked for it. */
  readonly sums: readonly HistorySum[] | null;
}

/** An export in the list. */
export interface ListedExport extends ExportView {
  /** Name of whoever asked. */
  readonly askedBy: string;
}

/** Files for people: each is written down before its first byte leaves. */
@Injectable()
export class DownloadPagesService {
  constructor(
    private readonly history: HistoryRepository,
    private readonly downloads: DownloadService,
    private readonly exports: ExportsService,
    private readonly users: UserRepository,
    private readonly audit: AuditService,
  ) {}

  /** @param wantsSums however many orders there are */
  async content({ place, filter }: AskedHistory, wantsSums: boolean): Promise<FileContent> {
    const count = await this.history.count(place.scope, filter, AT_ONCE_MAX);
    if (count.count > COUNT_MAX && !wantsSums) return { count, sums: null };
    const sums = await this.history.sums(place.scope, filter);
    return { count: { count: rowsIn(sums), isMore: false }, sums };
  }

  /** @throws Problem as `DownloadService.stream` does */
  async file(
    visit: SignedVisit,
    asked: AskedHistory,
    choice: DownloadChoice,
    signal: AbortSignal,
  ): Promise<Download> {
    const file = await this.downloads.stream(requestOf(asked, choice), { signal });
    const data = { ...auditedFilter(asked), preset: choice.preset };
    await orEnd(file.stream, this.audit.look(visit, { action: 'orders.exported', data }));
    return file;
  }

  /** Asks for a file in the background. */
  async order(visit: SignedVisit, asked: AskedHistory, choice: DownloadChoice): Promise<void> {
    const id = await this.exports.request({
      ...requestOf(asked, choice),
      query: filterQuery(asked).toString(),
      requestedBy: visit.session.userId,
      owner: ownerOf(visit, asked.place),
    });
    const data = { ...auditedFilter(asked), preset: choice.preset };
    await this.audit.look(visit, { action: 'orders.exported', subject: id, data });
  }

  async list(visit: SignedVisit, place: HistoryPlace): Promise<ListedExport[]> {
    const all = await this.exports.list(ownerOf(visit, place));
    const here = all.filter(({ ordersOf }) => ordersOf === place.scope.merchantId);
    const ids = [...new Set(here.map(({ requestedBy }) => requestedBy))];
    const found = await Promise.all(ids.map((id) => this.users.find(id)));
    const names = new Map(ids.map((id, n) => [id, found[n]?.name ?? 'somebody who has left']));
    return here.map((each) => ({ ...each, askedBy: names.get(each.requestedBy)! }));
  }

  /** @throws Refusal when nothing is left to cancel */
  async cancel(visit: SignedVisit, place: HistoryPlace, id: string): Promise<void> {
    if (!(await this.exports.cancel(ownerOf(visit, place), id))) throw notFound();
    await this.audit.look(visit, { action: 'export.cancelled', subject: id });
  }

  /** @throws Refusal for a file that is not there, or not this reader's */
  async manifest(visit: SignedVisit, place: HistoryPlace, id: string): Promise<Manifest> {
    const manifest = (await this.exports.find(ownerOf(visit, place), id))?.manifest;
    if (!manifest) throw notFound();
    return manifest;
  }

  /** @throws Refusal as `manifest` does */
  async exported(visit: SignedVisit, place: HistoryPlace, id: string): Promise<Download> {
    const file = await this.exports.file(ownerOf(visit, place), id);
    if (!file) throw notFound();
    await orEnd(file.stream, this.audit.look(visit, { action: 'export.fetched', subject: id }));
    return file;
  }
}

/**
 * Support has files of its own: what a merchant's people asked for, and searched for, is theirs, and
 * support takes none of their room.
 */
const ownerOf = ({ session }: SignedVisit, { role, scope }: HistoryPlace): ExportOwner =>
  role === 'support'
    ? { merchantId: null, mode: scope.mode, requestedBy: session.userId }
    : { merchantId: scope.merchantId, mode: scope.mode };

const rowsIn = (sums: readonly HistorySum[]): number =>
  sums.reduce((rows, { orders }) => rows + orders, 0);

const requestOf = ({ place, filter }: AskedHistory, choice: DownloadChoice): DownloadRequest => ({
  ...choice,
  scope: place.scope,
  filter,
  timeZone: place.timeZone,
  maskPayer: place.sight !== 'full',
});
