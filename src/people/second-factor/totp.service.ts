import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { generateSecret, generateURI, verify } from 'otplib';
import { Clock } from '../../common/time/clock.js';
import { UserRepository } from '../../database/people/user.repository.js';

/** Account name in authenticator apps. */
const ISSUER = 'Payment orders';
/** Seconds per code. */
const PERIOD = 30;
/** Allowed clock difference in seconds: one code in each direction. */
const TOLERANCE = PERIOD;

export const RECOVERY_CODES = 10;
/** Format of proposed secrets, nothing weaker. */
const SECRET = /^[A-Z2-7]{32,64}$/;
export const isTotpSecret = (text: string): boolean => SECRET.test(text);
const RECOVERY_CODE = /^[0-9a-f]{5}-?[0-9a-f]{5}-?[0-9a-f]{5}$/;

export interface TotpSetup {
  readonly secret: string;
  /** For a QR code: `otpauth://…`. */
  readonly uri: string;
}

/** One-time codes by RFC 6238, and recovery codes. Each works once. */
@Injectable()
export class TotpService {
  constructor(
    private readonly users: UserRepository,
    private readonly clock: Clock,
  ) {}

  /** A new secret; the current one stays active until the first code confirms it. */
  propose(email: string): TotpSetup {
    const secret = generateSecret();
    return { secret, uri: this.uriOf(email, secret) };
  }

  uriOf(email: string, secret: string): string {
    return generateURI({ issuer: ISSUER, label: email, secret });
  }

  /**
   * Activates the confirmed secret.
   * @param step time step of the confirming code
   * @returns recovery codes, shown once
   */
  async confirm(
    tx: EntityManager,
    userId: string,
    secret: string,
    step: number,
  ): Promise<string[]> {
    const totpConfirmedAt = this.clock.now();
    await this.users.update(tx, userId, {
      totpSecret: secret,
      totpConfirmedAt,
      totpLastStep: step,
    });
    return this.renewRecoveryCodes(tx, userId);
  }

  /** @returns new codes, shown once; the old ones become invalid */
  async renewRecoveryCodes(tx: EntityManager, userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await this.users.setRecoveryCodes(tx, userId, codes.map(recoveryHash));
    return codes;
  }

  /** Removes app and recovery codes. */
  async forget(tx: EntityManager, userId: string): Promise<void> {
    await this.users.update(tx, userId, {
      totpSecret: null,
      totpConfirmedAt: null,
      totpLastStep: null,
    });
    await this.users.setRecoveryCodes(tx, userId, []);
  }

  /** @returns whether the app or recovery code was valid and unused */
  async take(userId: string, code: string): Promise<boolean> {
    const typed = code.trim().toLowerCase();
    if (RECOVERY_CODE.test(typed)) {
      return this.users.takeRecoveryCode(userId, recoveryHash(typed), this.clock.now());
    }
    const user = await this.users.find(userId);
    if (!user?.totpSecret || !user.totpConfirmedAt) return false;
    const step = await this.stepOf(user.totpSecret, typed);
    return step !== null && this.users.takeTotpStep(userId, user.totpSecret, step);
  }

  /** Time step of a valid code, or null. */
  async stepOf(secret: string, code: string): Promise<number | null> {
    const token = code.replaceAll(/\s/g, '');
    if (!SECRET.test(secret) || !/^\d{6}$/.test(token)) return null;
    const epoch = Math.floor(this.clock.now().getTime() / 1_000);
    const result = await verify({ secret, token, epoch, epochTolerance: TOLERANCE });
    return result.valid ? Math.floor(epoch / PERIOD) + result.delta : null;
  }
}

function newRecoveryCode(): string {
  const digits = randomBytes(8).toString('hex').slice(0, 15);
  return `${digits.slice(0, 5)}-${digits.slice(5, 10)}-${digits.slice(10)}`;
}

const recoveryHash = (code: string): Buffer => hash('sha256', code.replaceAll('-', ''), 'buffer');
