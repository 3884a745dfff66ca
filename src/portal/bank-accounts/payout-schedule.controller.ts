import {
  Controller,
  Get,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../common/clock.js';
import { sendPage } from '../../common/page.js';
import { LedgerRepository } from '../../database/repositories/ledger.repository.js';
import { BankAccountsService, isUsable } from '../../payouts/bank-accounts.service.js';
import { PayoutSchedulesService } from '../../payouts/payout-schedules.service.js';
import { formOf, goTo } from '../http.js';
import { AuditService } from '../people/audit.service.js';
import { FreshFactor } from '../people/fresh-factor.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { textOf } from '../settings/form.js';
import { CurrentVisit, type PlacedVisit } from '../visit.js';
import { blankSchedule, readSchedule, scheduleForm } from './payout-schedule.form.js';
import { renderSchedule, type SchedulePage, schedulePath } from './payout-schedule.view.js';

/** When a merchant is paid out to without anybody's asking. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode/payout-schedule', version: VERSION_NEUTRAL })
export class PayoutScheduleController {
  constructor(
    private readonly schedules: PayoutSchedulesService,
    private readonly accounts: BankAccountsService,
    private readonly ledger: LedgerRepository,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** With `currency`, the form is that currency's. */
  @Get()
  @Portal('payouts.manage')
  async show(
    @CurrentVisit() visit: PlacedVisit,
    @Query('currency') currency: unknown,
    @Query('done') done: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.pageOf(visit);
    const schedule = page.schedules.find((each) => each.currency === currency);
    const form = schedule ? scheduleForm(schedule) : blankFor(page);
    sendPage(reply, 200, renderSchedule({ ...page, form, done }));
  }

  @Post()
  @Portal('payouts.manage')
  async save(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const page = await this.pageOf(visit);
    const wish = readSchedule(form, page.accounts);
    if (wish.problems) {
      return sendPage(reply, 422, renderSchedule({ ...page, form, problems: wish.problems }));
    }
    await this.factor.demandLive(visit, form);
    const { timeZone, mode } = visit.place;
    const deed = { action: 'payout-schedule.changed', data: { mode, ...wish.done } };
    const author = { userId: visit.session.userId, timeZone };
    await this.schedules.save(visit.place, wish.done, author, (tx) =>
      this.audit.record(tx, visit, deed),
    );
    // Without a place of its own, it would be shown at the form's.
    goTo(reply, `${schedulePath(visit)}?done=saved#top`);
  }

  @Post('off')
  @Portal('payouts.manage')
  async switchOff(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    await this.factor.demandLive(visit, form);
    const { merchantId, mode } = visit.place;
    const currency = textOf(form, 'currency');
    await this.schedules.remove({ merchantId, mode, currency }, (tx) =>
      this.audit.record(tx, visit, { action: 'payout-schedule.removed', data: { mode, currency } }),
    );
    goTo(reply, `${schedulePath(visit)}?done=off`);
  }

  private async pageOf(visit: PlacedVisit): Promise<Omit<SchedulePage, 'form'>> {
    const balances = await this.ledger.balances(visit.place);
    return {
      visit,
      schedules: await this.schedules.list(visit.place),
      accounts: await this.accounts.list(visit.place),
      currencies: [...new Set(balances.map(({ currency }) => currency))],
      now: this.clock.now(),
    };
  }
}

/** For the first currency that the merchant has money in, and no schedule. */
function blankFor({ currencies, schedules, accounts, now }: Omit<SchedulePage, 'form'>) {
  const isFree = (code: string) => schedules.every(({ currency }) => currency !== code);
  const usable = accounts.find((account) => isUsable(account, now));
  return blankSchedule([...currencies, 'EUR'].find(isFree) ?? '', usable);
}
