import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditService } from './audit.service.js';
import type { PortalRequest, SignedInContext } from './portal-context.js';

/** Milliseconds in which repeated requests of an address in a session are one view. */
const AGAIN_MS = 5 * 60_000;
/** Remembered addresses; a forgotten one only causes a duplicate entry. */
const SEEN_MAX = 10_000;

/** Audits all pages and actions of support before the response, independently of the page. */
@Injectable()
export class SupportViews {
  private readonly seen = new Map<string, number>();

  constructor(private readonly audit: AuditService) {}

  async note(context: SignedInContext, request: PortalRequest): Promise<void> {
    const { method, url, routeOptions } = request;
    // A monotonic clock: the system clock may be set back.
    const now = performance.now();
    const view = `${context.session.id} ${method} ${hash('sha256', url)}`;
    if (method === 'GET' && now - (this.seen.get(view) ?? -Infinity) < AGAIN_MS) return;
    const { txid, id } = request.params as { txid?: string; id?: string };
    const subject = txid ?? id;
    await this.audit.recordView(context, {
      action: 'page.opened',
      ...(subject ? { subject } : {}),
      // Names of filters only; their values may be payer data.
      data: { page: routeOptions.url, method, filters: filtersOf(url) },
    });
    if (this.seen.size >= SEEN_MAX) this.seen.clear();
    this.seen.set(view, now);
  }
}

const filtersOf = (url: string): string[] => [
  ...new Set(new URLSearchParams(url.split('?')[1]).keys()),
];
