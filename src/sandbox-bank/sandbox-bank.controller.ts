import { Controller, Get, Param, Post, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toMajorUnits } from '../common/money/money.js';
import {
  SANDBOX_OUTCOMES,
  type SandboxTransaction,
} from '../database/sandbox-bank/sandbox-transaction.entity.js';
import { formOf } from '../http/form-body.js';
import { sendPage } from '../http/page.js';
import { Public } from '../merchants/api-key.guard.js';
import { LimitPages } from '../merchants/rate-limit.guard.js';
import { stylesheetHref } from '../payment-page/assets.js';
import { type SandboxBankDecision, SandboxBank } from '../providers/sandbox/sandbox-bank.js';
import { renderSandboxBankPage } from './sandbox-bank.view.js';
import { SandboxCallbacksService } from './sandbox-callbacks.service.js';

const PAYER_TEXT_MAX = 140;
/** Default delay of "pay later". */
const LATER_SECONDS = 10;
const LATER_SECONDS_MAX = 3_600;
/** Differs from shops, so that testers recognise the bank's page. */
const COLOUR = '4a3a78';

/** Page of the simulated bank, where a tester chooses the answer. */
@ApiExcludeController()
@Public()
@LimitPages('bank')
@Controller({ path: 'sandbox-bank', version: VERSION_NEUTRAL })
export class SandboxBankController {
  constructor(
    private readonly bank: SandboxBank,
    private readonly callbacks: SandboxCallbacksService,
  ) {}

  @Get(':reference')
  async show(@Param('reference') reference: string, @Res() reply: FastifyReply): Promise<void> {
    const line = await this.bank.find(reference);
    if (!line) return void reply.callNotFound();
    sendPage(reply, 200, pageOf(line));
  }

  @Post(':reference')
  async answer(
    @Param('reference') reference: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const line = await this.bank.find(reference);
    if (!line) return void reply.callNotFound();
    const decision = readDecision(formOf(request));
    if (!decision) return void reply.redirect(`/sandbox-bank/${reference}`, 303);
    await this.callbacks.decide(line, decision);
    void reply.redirect(line.returnUrl, 303);
  }
}

function pageOf(line: SandboxTransaction): string {
  return renderSandboxBankPage({
    merchantName: line.payeeName,
    amountText: `${toMajorUnits(line.amount, line.currency)} ${line.currency}`,
    reference: line.reference.slice(0, 8),
    answered: line.outcome !== null && line.outcome !== 'pending' && line.outcome !== 'unknown',
    returnHref: line.returnUrl,
    styleHref: stylesheetHref(COLOUR),
  });
}

/** Null for a form that the page cannot have sent. */
function readDecision(form: URLSearchParams): SandboxBankDecision | null {
  const outcome = SANDBOX_OUTCOMES.find((known) => known === form.get('outcome'));
  const amount = readWhole(form.get('amount'), 99_999_999_999);
  const afterSeconds = readWhole(form.get('afterSeconds'), LATER_SECONDS_MAX);
  if (!outcome || amount === null || afterSeconds === null) return null;
  return {
    outcome,
    amount,
    afterSeconds: outcome === 'pending' ? (afterSeconds ?? LATER_SECONDS) : undefined,
    payerAccountNumber: readText(form.get('payerAccountNumber')),
    payerAccountName: readText(form.get('payerAccountName')),
  };
}

/** Undefined if empty, null if not an integer in range. */
function readWhole(text: string | null, max: number): number | null | undefined {
  if (!text) return undefined;
  const value = /^\d{1,11}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= max ? value : null;
}

/** Drops characters that cannot be stored. */
const readText = (text: string | null): string | undefined =>
  text
    ?.replaceAll(/\p{Cc}/gu, '')
    .slice(0, PAYER_TEXT_MAX)
    .toWellFormed() || undefined;
