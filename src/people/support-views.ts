import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditService } from './audit.service.js';
import type { PortalRequest, SignedInContext } from './portal-context.js';

/** Milliseconds in which the same address, asked for again in the same session, is no new view. */
const AGAIN_MS = 5 * 60_000;
/** Addresses that are remembered; without one of them an entry too many is written. */
const SEEN_MAX = 10_000;

/** Writes down what support sees and does, whatever page it is: before the page, and not by it. */
@Injectable()
export class SupportViews {
  private readonly seen = new Map<string, number>();

  constructor(private readonly audit: AuditService) {}

  async note(context: SignedInContext, request: PortalRequest): Promise<void> {
    const { method, url, routeOptions } = request;
    // Not the clock: one that is set back would hide what comes until it has caught up.
    const now = performance.now();
    const view = `${context.session.id} ${method} ${hash('sha256', url)}`;
    if (method === 'GET' && now - (this.seen.get(view) ?? -Infinity) < AGAIN_MS) return;
    const { txid, id } = request.params as { txid?: string; id?: string };
    const subject = txid ?? id;
    await this.audit.recordView(context, {
      action: 'page.opened',
      ...(subject ? { subject } : {}),
      // The names of filters, and not what was searched for: that can be a payer.
      data: { page: routeOptions.url, method, filters: filtersOf(url) },
    });
    if (this.seen.size >= SEEN_MAX) this.seen.clear();
    this.seen.set(view, now);
  }
}

const filtersOf = (url: string): string[] => [
  ...new Set(new URLSearchParams(url.split('?')[1]).keys()),
];
