import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import type { IdempotencyRecord } from '../database/orders/idempotency-record.entity.js';
import { IdempotencyRepository } from '../database/orders/idempotency.repository.js';
import type { Owner } from '../database/keys.js';
import type { RenderedAnswer } from '../http/http.js';
import { Problem } from '../http/problems/problem.js';
import type { Caller } from '../merchants/api-key.guard.js';

/** A request with an Idempotency-Key. */
export interface IdempotentRequest {
  readonly route: string;
  readonly key: string;
  /** SHA-256 of the request's canonical content. */
  readonly contentHash: Buffer;
}

/** The first answer, with its order. */
export interface EarlierAnswer extends RenderedAnswer {
  readonly txid: string;
}

/** Stores the first answer to a request, and returns it for repeats. */
@Injectable()
export class IdempotencyService {
  constructor(
    private readonly records: IdempotencyRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The stored answer, or null.
   * @throws Problem `idempotency_key_reused` if the key belongs to another request
   */
  async find(owner: Owner, request: IdempotentRequest): Promise<EarlierAnswer | null> {
    return earlierAnswer(await this.records.find(owner, request.route, request.key), request);
  }

  /**
   * The stored answer behind the order's lock, where concurrent requests with the key have finished.
   * @throws Problem `idempotency_key_reused`
   */
  async findIn(
    tx: EntityManager,
    owner: Owner,
    request: IdempotentRequest,
  ): Promise<EarlierAnswer | null> {
    const record = await this.records.findIn(tx, owner, request.route, request.key);
    return earlierAnswer(record, request);
  }

  /**
   * Claims the key before any side effect outside the database, so that of two requests with one key only one has
   * effects.
   * @returns the stored answer, or null if the request is to be executed
   * @throws Problem `idempotency_key_reused` if the key belongs to another request
   */
  async claim(
    owner: Owner,
    txid: string,
    request: IdempotentRequest,
  ): Promise<EarlierAnswer | null> {
    await this.records.claim(owner, txid, request, this.clock.now());
    return this.find(owner, request);
  }

  async remember(
    owner: Owner,
    txid: string,
    request: IdempotentRequest,
    { status, body, apiVersion }: RenderedAnswer,
  ): Promise<void> {
    const answer = { ...request, apiVersion, status, body };
    await this.records.remember(owner, txid, answer, this.clock.now());
  }

  /** Stores the answer in the transaction of the change, so that a repeat finds both or neither. */
  async rememberIn(
    tx: EntityManager,
    owner: Owner,
    txid: string,
    request: IdempotentRequest,
    { status, body, apiVersion }: RenderedAnswer,
  ): Promise<void> {
    const answer = { ...request, apiVersion, status, body };
    await this.records.rememberIn(tx, owner, txid, answer, this.clock.now());
  }

  /** Conflicts are stored like any answer, so repeats get the same bytes. Other errors pass through. */
  rememberProblem(
    error: unknown,
    caller: Caller,
    txid: string,
    request: IdempotentRequest | undefined,
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
  request: IdempotentRequest,
): EarlierAnswer | null {
  if (!record) return null;
  if (!record.contentHash.equals(request.contentHash)) throw new Problem('idempotency_key_reused');
  const { txid, status, body, apiVersion } = record;
  return status && body && apiVersion ? { txid, status, body, apiVersion } : null;
}
