import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { type Address, hasNone, Resolver } from './resolver.js';
import {
  checkAddresses,
  parseTarget,
  type Target,
  TargetRefused,
  TargetUnknown,
} from './webhook-target.js';

/** Milliseconds for a DNS lookup: a third of an attempt. */
const LOOKUP_MS = 5_000;

/** A target with all its checked addresses: connect only to these. */
export interface CheckedTarget extends Target {
  readonly addresses: readonly Address[];
}

/** Protects internal networks from URLs that merchants enter (SSRF). */
@Injectable()
export class TargetGuard {
  constructor(
    private readonly config: Config,
    private readonly resolver: Resolver,
  ) {}

  /**
   * Resolves the host once and checks its addresses.
   * @throws TargetRefused, `TargetUnknown` without addresses, and the reason of `signal`
   */
  async check(url: string, signal: AbortSignal): Promise<CheckedTarget> {
    const allowed = this.config.webhookAllowedNetworks;
    const target = parseTarget(url);
    if (target.privateReason !== undefined && allowed.length === 0) {
      throw new TargetRefused(target.privateReason);
    }
    const addresses = await this.addressesOf(target.host, signal);
    checkAddresses(
      target,
      addresses.map(({ address }) => address),
      allowed,
    );
    return { ...target, addresses };
  }

  private async addressesOf(host: string, signal: AbortSignal): Promise<readonly Address[]> {
    const family = isIP(host);
    if (family > 0) return [{ address: host, family }];
    signal.throwIfAborted();
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_MS)]);
    try {
      return await this.resolver.lookup(host, timeout);
    } catch (error) {
      signal.throwIfAborted();
      throw new TargetUnknown(hasNone(error) ? NOWHERE : NOT_NOW, { cause: error });
    }
  }
}

const NOWHERE = 'The host does not exist: its name has no address.';
const NOT_NOW = 'The name of the host could not be looked up just now.';
