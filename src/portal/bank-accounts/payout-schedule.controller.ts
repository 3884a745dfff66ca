import { Get, Post, Query } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { LedgerRepository } from '../../database/ledger/ledger.repository.js';
import { BankAccountsService, isUsableAccount } from '../../payouts/bank-accounts.service.js';
import { PayoutSchedulesService } from '../../payouts/payout-schedules.service.js';
import { AuditService } from '../../people/audit.service.js';
import { CurrentContext, type MerchantContext } from '../../people/portal-context.js';
import { FreshFactor } from '../../people/second-factor/fresh-factor.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { textOf } from '../kit/form.js';
import { Form } from '../kit/http.js';
import { Needs, PortalController } from '../portal-controller.js';
import { blankSchedule, readSchedule, scheduleForm } from './payout-schedule.form.js';
import { renderSchedule, type SchedulePage, schedulePath } from './payout-schedule.view.js';

/** Automatic payouts. */
@PortalController('m/:merchantId/:mode/payout-schedule')
export class PayoutScheduleController {
  constructor(
    private readonly schedules: PayoutSchedulesService,
    private readonly accounts: BankAccountsService,
    private readonly ledger: LedgerRepository,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** `currency` selects the schedule shown in the form. */
  @Get()
  @Needs('payouts.manage')
  async show(
    @CurrentContext() context: MerchantContext,
    @Query('currency') currency: unknown,
    @Query('done') done: unknown,
  ): Promise<PageAnswer> {
    const found = await this.pageOf(context);
    const schedule = found.schedules.find((each) => each.currency === currency);
    const form = schedule ? scheduleForm(schedule) : blankFor(found);
    return page(renderSchedule({ ...found, form, done }));
  }

  @Post()
  @Needs('payouts.manage')
  async save(
    @CurrentContext() context: MerchantContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const found = await this.pageOf(context);
    const wish = readSchedule(form, found.accounts);
    if (wish.problems) {
      return invalid(renderSchedule({ ...found, form, problems: wish.problems }));
    }
    await this.factor.demandLive(context, form);
    const { timeZone, mode } = context.access;
    const entry = { action: 'payout-schedule.changed', data: { mode, ...wish.done } };
    const author = { userId: context.session.userId, timeZone };
    await this.schedules.save(context.access, wish.done, author, (tx) =>
      this.audit.record(tx, context, entry),
    );
    // Without `#top`, browsers keep the fragment of the form.
    return seeOther(`${schedulePath(context)}?done=saved#top`);
  }

  @Post('off')
  @Needs('payouts.manage')
  async switchOff(
    @CurrentContext() context: MerchantContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    await this.factor.demandLive(context, form);
    const { merchantId, mode } = context.access;
    const currency = textOf(form, 'currency');
    await this.schedules.remove({ merchantId, mode, currency }, (tx) =>
      this.audit.record(tx, context, {
        action: 'payout-schedule.removed',
        data: { mode, currency },
      }),
    );
    return seeOther(`${schedulePath(context)}?done=off`);
  }

  private async pageOf(context: MerchantContext): Promise<Omit<SchedulePage, 'form'>> {
    const balances = await this.ledger.balances(context.access);
    return {
      context,
      schedules: await this.schedules.list(context.access),
      accounts: await this.accounts.list(context.access),
      currencies: [...new Set(balances.map(({ currency }) => currency))],
      now: this.clock.now(),
    };
  }
}

/** Preselects the first currency with a balance but without a schedule. */
function blankFor({ currencies, schedules, accounts, now }: Omit<SchedulePage, 'form'>) {
  const isFree = (code: string) => schedules.every(({ currency }) => currency !== code);
  const usable = accounts.find((account) => isUsableAccount(account, now));
  return blankSchedule([...currencies, 'EUR'].find(isFree) ?? '', usable);
}
