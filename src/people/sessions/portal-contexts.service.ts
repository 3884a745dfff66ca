import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { uuidOf } from '../../common/ids.js';
import { Config } from '../../config/config.js';
import type { LiveSession } from '../../database/people/user-session.repository.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import type { PortalContext, MerchantAccess } from '../portal-context.js';
import { notFound } from '../refusal.js';
import { PortalLimits } from './portal-limits.js';
import { csrfOf, isSessionToken, newToken } from './session-token.js';
import { SessionsService } from './sessions.service.js';

/** Seconds for which a browser stays known after a sign-in. */
const DEVICE_SECONDS = 180 * 86_400;

/** Identifies users, and maintains their cookies. */
@Injectable()
export class PortalContextsService {
  private readonly isSecure: boolean;
  private readonly cookie: string;
  private readonly deviceCookie: string;

  constructor(
    private readonly sessions: SessionsService,
    private readonly limits: PortalLimits,
    private readonly merchants: MerchantsService,
    config: Config,
  ) {
    this.isSecure = config.publicUrl.startsWith('https:');
    this.cookie = this.isSecure ? '__Host-portal' : 'portal';
    this.deviceCookie = `${this.cookie}-device`;
  }

  /**
   * Loads or creates the session cookie; visitors get one, too, for CSRF protection before sign-in.
   * @throws Problem `rate_limited`
   */
  async of(request: FastifyRequest, reply: FastifyReply): Promise<PortalContext> {
    const { ip: address, url: path } = request;
    const cookie = request.cookies[this.cookie];
    const known = isSessionToken(cookie) ? cookie : null;
    const session = await this.limits.find(address, known, (token) => this.sessions.find(token));
    const token = known ?? this.remember(reply, newToken());
    const device = request.cookies[this.deviceCookie];
    const remember = (renewed: string): void => void this.remember(reply, renewed);
    return { session, csrf: csrfOf(token), address, device, path, access: null, remember };
  }

  /** Whether the request comes from a session that this process has found. */
  isKnown(request: FastifyRequest): boolean {
    const cookie = request.cookies[this.cookie];
    return isSessionToken(cookie) && this.limits.isKnown(cookie);
  }

  remember(reply: FastifyReply, token: string): string {
    this.keep(reply, this.cookie, token);
    return token;
  }

  /** Kept after sign-out: it grants no access, but its owner can sign in while others guess. */
  rememberDevice(reply: FastifyReply, device: string): void {
    this.keep(reply, this.deviceCookie, device, DEVICE_SECONDS);
  }

  forget(reply: FastifyReply): void {
    void reply.clearCookie(this.cookie, { path: '/', secure: this.isSecure });
  }

  /** @throws Refusal 404 for a merchant that does not exist or is not accessible */
  async accessTo(
    session: LiveSession,
    { merchantId: text = '', mode }: { merchantId?: string; mode?: string },
  ): Promise<MerchantAccess> {
    const merchantId = uuidOf(text);
    if (merchantId === null || (mode !== 'test' && mode !== 'live')) {
      throw notFound();
    }
    const access = session.memberships.find(({ id }) => id === merchantId);
    if (access) {
      const { id, name, timeZone, role } = access;
      return { merchantId: id, merchantName: name, timeZone, mode, role };
    }
    if (session.platformRole !== 'support') throw notFound();
    const merchant = await this.merchants.find(merchantId);
    if (!merchant) throw notFound();
    const { id, name, timeZone } = merchant;
    return { merchantId: id, merchantName: name, timeZone, mode, role: 'support' };
  }

  /** @param maxAge seconds; without it a session cookie */
  private keep(reply: FastifyReply, name: string, value: string, maxAge?: number): void {
    const { isSecure: secure } = this;
    const life = maxAge === undefined ? {} : { maxAge };
    const kept = { path: '/', httpOnly: true, sameSite: 'lax', secure, ...life } as const;
    void reply.setCookie(name, value, kept);
  }
}
