import { Injectable } from '@nestjs/common';
import type { ExportOwner } from '../../database/exports/export.repository.js';
import {
  COUNT_MAX,
  type OrderCount,
  OrderListRepository,
} from '../../database/read-models/order-list/order-list.repository.js';
import type { OrderSum } from '../../database/read-models/order-list/order-sums.js';
import { UserRepository } from '../../database/people/user.repository.js';
import {
  type ExportFile,
  type ExportOptions,
  ExportStreamService,
} from '../../exports/export-stream.service.js';
import { ExportsService, type ExportView } from '../../exports/exports.service.js';
import type { Manifest } from '../../exports/manifest.js';
import { orEnd } from '../../exports/send-file.js';
import { AuditService } from '../../people/audit.service.js';
import type { SignedInContext } from '../../people/portal-context.js';
import { notFound } from '../../people/refusal.js';
import { auditedFilter, filterQuery } from '../order-list/order-list-address.js';
import type { AskedOrders } from '../order-list/order-list.service.js';
import type { OrdersAccess } from '../order-list/orders-access.js';
import type { ExportChoice } from './export-choice.js';

/** Exports with more rows are created in the background. */
export const AT_ONCE_MAX = 100_000;

/** Preview of an export. */
export interface ExportContent {
  readonly count: OrderCount;
  /** Null for very many orders, unless requested. */
  readonly sums: readonly OrderSum[] | null;
}

export interface ListedExport extends ExportView {
  /** Name of the requester. */
  readonly askedBy: string;
}

/** Exports for portal users. Each is audited before its first byte is sent. */
@Injectable()
export class ExportPagesService {
  constructor(
    private readonly orderList: OrderListRepository,
    private readonly streams: ExportStreamService,
    private readonly exports: ExportsService,
    private readonly users: UserRepository,
    private readonly audit: AuditService,
  ) {}

  /** @param wantsSums computes totals even for very many orders */
  async content({ access, filter }: AskedOrders, wantsSums: boolean): Promise<ExportContent> {
    const count = await this.orderList.count(access.scope, filter, AT_ONCE_MAX);
    if (count.count > COUNT_MAX && !wantsSums) return { count, sums: null };
    const sums = await this.orderList.sums(access.scope, filter);
    return { count: { count: rowsIn(sums), isMore: false }, sums };
  }

  /** @throws Problem as `ExportStreamService.stream` does */
  async file(
    context: SignedInContext,
    asked: AskedOrders,
    choice: ExportChoice,
    signal: AbortSignal,
  ): Promise<ExportFile> {
    const file = await this.streams.stream(requestOf(asked, choice), { signal });
    const data = { ...auditedFilter(asked), preset: choice.preset };
    await orEnd(file.stream, this.audit.recordView(context, { action: 'orders.exported', data }));
    return file;
  }

  /** Requests an export in the background. */
  async order(context: SignedInContext, asked: AskedOrders, choice: ExportChoice): Promise<void> {
    const id = await this.exports.request({
      ...requestOf(asked, choice),
      query: filterQuery(asked).toString(),
      requestedBy: context.session.userId,
      owner: ownerOf(context, asked.access),
    });
    const data = { ...auditedFilter(asked), preset: choice.preset };
    await this.audit.recordView(context, { action: 'orders.exported', subject: id, data });
  }

  async list(context: SignedInContext, access: OrdersAccess): Promise<ListedExport[]> {
    const all = await this.exports.list(ownerOf(context, access));
    const here = all.filter(({ ordersOf }) => ordersOf === access.scope.merchantId);
    const ids = [...new Set(here.map(({ requestedBy }) => requestedBy))];
    const found = await Promise.all(ids.map((id) => this.users.find(id)));
    const names = new Map(ids.map((id, n) => [id, found[n]?.name ?? 'Former user']));
    return here.map((each) => ({ ...each, askedBy: names.get(each.requestedBy)! }));
  }

  /** @throws Refusal 404 if there is nothing to cancel */
  async cancel(context: SignedInContext, access: OrdersAccess, id: string): Promise<void> {
    if (!(await this.exports.cancel(ownerOf(context, access), id))) throw notFound();
    await this.audit.recordView(context, { action: 'export.cancelled', subject: id });
  }

  /** @throws Refusal 404 for a missing file, or one of another owner */
  async manifest(context: SignedInContext, access: OrdersAccess, id: string): Promise<Manifest> {
    const manifest = (await this.exports.find(ownerOf(context, access), id))?.manifest;
    if (!manifest) throw notFound();
    return manifest;
  }

  /** @throws Refusal as `manifest` does */
  async exported(context: SignedInContext, access: OrdersAccess, id: string): Promise<ExportFile> {
    const file = await this.exports.file(ownerOf(context, access), id);
    if (!file) throw notFound();
    await orEnd(
      file.stream,
      this.audit.recordView(context, { action: 'export.fetched', subject: id }),
    );
    return file;
  }
}

/** Support has its own exports: it does not see those of merchants, and does not use up their limit. */
const ownerOf = ({ session }: SignedInContext, { role, scope }: OrdersAccess): ExportOwner =>
  role === 'support'
    ? { merchantId: null, mode: scope.mode, requestedBy: session.userId }
    : { merchantId: scope.merchantId, mode: scope.mode };

const rowsIn = (sums: readonly OrderSum[]): number =>
  sums.reduce((rows, { orders }) => rows + orders, 0);

const requestOf = ({ access, filter }: AskedOrders, choice: ExportChoice): ExportOptions => ({
  ...choice,
  scope: access.scope,
  filter,
  timeZone: access.timeZone,
  maskPayer: access.visibility !== 'full',
});
