import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import type { IdempotencyRecord } from '../database/orders/idempotency-record.entity.js';
import { IdempotencyRepository } from '../database/orders/idempotency.repository.js';
import type { Owner } from '../database/keys.js';
import type { RenderedAnswer } from '../http/http.js';
import { Problem } from '../http/problem.js';
import type { Caller } from '../merchants/api-key.guard.js';

/** A request that carried an Idempotency-Key. */
export interface RememberedRequest {
  readonly route: string;
  readonly key: string;
  /** SHA-256 of the request's canonical content. */
  readonly contentHash: Buffer;
}

/** The first answer, and the order that it is about. */
export interface EarlierAnswer extends RenderedAnswer {
  readonly txid: string;
}

/** Remembers the first answer to a request, and finds it for a repeat. */
@Injectable()
export class IdempotencyService {
  constructor(
    private readonly records: IdempotencyRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The remembered answer, or null.
   * @throws Problem `idempotency_key_reused` when the key came with another request
   */
  async find(owner: Owner, request: RememberedRequest): Promise<EarlierAnswer | null> {
    return earlierAnswer(await this.records.find(owner, request.route, request.key), request);
  }

  /**
   * The same behind the order's lock: what another request with the key did is done, and its answer is here.
   * @throws Problem `idempotency_key_reused`
   */
  async findIn(
    tx: EntityManager,
    owner: Owner,
    request: RememberedRequest,
  ): Promise<EarlierAnswer | null> {
    const record = await this.records.findIn(tx, owner, request.route, request.key);
    return earlierAnswer(record, request);
  }

  /**
   * Takes the key for a request before anything outside the database happens, so that of two
   * requests with one key only one does anything.
   * @returns the remembered answer, or null when the request is to be carried out
   * @throws Problem `idempotency_key_reused` when the key came with another request
   */
  async claim(
    owner: Owner,
    txid: string,
    request: RememberedRequest,
  ): Promise<EarlierAnswer | null> {
    await this.records.claim(owner, txid, request, this.clock.now());
    return this.find(owner, request);
  }

  async remember(
    owner: Owner,
    txid: string,
    request: RememberedRequest,
    { status, body, apiVersion }: RenderedAnswer,
  ): Promise<void> {
    const answer = { ...request, apiVersion, status, body };
    await this.records.remember(owner, txid, answer, this.clock.now());
  }

  /** The same in the transaction of what was asked for, so that a repeat finds both or neither. */
  async rememberIn(
    tx: EntityManager,
    owner: Owner,
    txid: string,
    request: RememberedRequest,
    { status, body, apiVersion }: RenderedAnswer,
  ): Promise<void> {
    const answer = { ...request, apiVersion, status, body };
    await this.records.rememberIn(tx, owner, txid, answer, this.clock.now());
  }

  /** A conflict is an answer like any other: a repeat gets its very bytes. Other errors pass through. */
  rememberProblem(
    error: unknown,
    caller: Caller,
    txid: string,
    request: RememberedRequest | undefined,
  ): unknown {
    if (!request || !(error instanceof Problem) || error.status !== 409) return error;
    const { code, detail, members } = error;
    return new Problem(code, {
      detail,
      members,
      remember: (status, body) =>
        this.remember(caller, txid, request, { status, body, apiVersion: caller.version }),
    });
  }
}

function earlierAnswer(
  record: Pick<IdempotencyRecord, 'contentHash' | 'txid' | 'apiVersion' | 'status' | 'body'> | null,
  request: RememberedRequest,
): EarlierAnswer | null {
  if (!record) return null;
  if (!record.contentHash.equals(request.contentHash)) throw new Problem('idempotency_key_reused');
  const { txid, status, body, apiVersion } = record;
  return status && body && apiVersion ? { txid, status, body, apiVersion } : null;
}
