import { Get, Param, Post, Query } from '@nestjs/common';
import { CurrentContext, mayHere, type SignedInContext } from '../../../people/portal-context.js';
import { notFound } from '../../../people/refusal.js';
import { type PageAnswer, page, seeOther } from '../../kit/answer.js';
import type { Problems } from '../../kit/form.js';
import { Form } from '../../kit/http.js';
import { idOf } from '../../kit/path-id.js';
import { Needs, PortalController } from '../../portal-controller.js';
import { modeOf } from '../payouts/platform-path.js';
import { statusOf } from '../payouts/refused.js';
import { renderPayer, renderUndo } from './allocation-forms.view.js';
import { linePath } from './bank-path.js';
import { DuplicateActionsService } from './duplicate-actions.service.js';
import { LineActionsService } from './line-actions.service.js';
import type { LineForm } from './line-forms.view.js';
import { type BankLinePage, LinePageService } from './line-page.service.js';
import { renderLine } from './line.view.js';
import { renderWhich } from './which-order.view.js';

type Params = Readonly<Record<string, string>>;

interface Sent {
  readonly sent: LineForm;
  readonly form: URLSearchParams;
  readonly problems: Problems | null;
  /** Key of the success message. */
  readonly done: string;
}

/** One bank statement line and the actions of operators on it. */
@PortalController('platform/bank/:mode/lines/:id')
export class LineController {
  constructor(
    private readonly lines: LinePageService,
    private readonly actions: LineActionsService,
    private readonly duplicates: DuplicateActionsService,
  ) {}

  @Get()
  @Needs('platform.read')
  async show(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Query('done') done: unknown,
  ): Promise<PageAnswer> {
    const found = await this.open(params);
    const mayAct = mayHere(context, 'platform.payouts');
    return page(renderLine({ context, page: found, mayAct, done }));
  }

  @Post('match')
  @Needs('platform.payouts')
  async match(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const found = await this.open(params);
    const typed = await this.actions.typedOrders(found, form, 'match');
    if (typed.length > 0)
      return page(renderWhich({ context, page: found, sent: 'match', form, typed }));
    const problems = await this.actions.match(context, found, form);
    return this.answer(context, params, { sent: 'match', form, problems, done: 'matched' });
  }

  @Post('return')
  @Needs('platform.payouts')
  async takeBack(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const found = await this.open(params);
    const typed = await this.actions.typedOrders(found, form, 'return');
    if (typed.length > 0)
      return page(renderWhich({ context, page: found, sent: 'return', form, typed }));
    const problems = await this.actions.takeBack(context, found, form);
    return this.answer(context, params, { sent: 'return', form, problems, done: 'returned' });
  }

  @Post('ignore')
  @Needs('platform.payouts')
  async ignore(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const { line } = await this.open(params);
    const problems = await this.actions.ignore(context, line, form);
    return this.answer(context, params, { sent: 'ignore', form, problems, done: 'ignored' });
  }

  @Post('reopen')
  @Needs('platform.payouts')
  async reopen(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const { line } = await this.open(params);
    const problems = await this.actions.reopen(context, line);
    return this.answer(context, params, { sent: 'ignore', form, problems, done: 'reopened' });
  }

  @Post('same')
  @Needs('platform.payouts')
  async same(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const { line } = await this.open(params);
    const problems = await this.duplicates.sameBooking(context, line);
    return this.answer(context, params, { sent: 'duplicate', form, problems, done: 'same' });
  }

  @Post('same/undo')
  @Needs('platform.payouts')
  async undoSame(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const { line } = await this.open(params);
    const problems = await this.duplicates.undoSameBooking(context, line);
    return this.answer(context, params, { sent: 'duplicate', form, problems, done: 'reopened' });
  }

  @Post('returns/:paymentId/undo')
  @Needs('platform.payouts')
  async undoReturn(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const { line, returns } = await this.open(params);
    const paymentId = idOf(params['paymentId'] ?? '');
    const returned = returns.findLast(
      (each) => each.paymentId === paymentId && each.undoneAt === null,
    );
    if (!returned) throw notFound();
    const problems = await this.actions.undoReturn(context, line, returned);
    return this.answer(context, params, { sent: 'return', form, problems, done: 'return-undone' });
  }

  @Post('another')
  @Needs('platform.payouts')
  async another(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const { line } = await this.open(params);
    const { problems, done } = await this.duplicates.anotherBooking(context, line);
    return this.answer(context, params, { sent: 'duplicate', form, problems, done });
  }

  @Post('another/undo')
  @Needs('platform.payouts')
  async undoAnother(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const { line } = await this.open(params);
    const problems = await this.duplicates.undoAnotherBooking(context, line);
    return this.answer(context, params, { sent: 'duplicate', form, problems, done: 'reopened' });
  }

  @Post('notes')
  @Needs('platform.payouts')
  async note(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const { line } = await this.open(params);
    const problems = await this.actions.note(context, line, form);
    return this.answer(context, params, { sent: 'notes', form, problems, done: 'noted' });
  }

  @Get('payments/:paymentId/undo')
  @Needs('platform.payouts')
  async askUndo(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
  ): Promise<PageAnswer> {
    return page(renderUndo({ context, ...(await this.standing(params)) }));
  }

  @Post('payments/:paymentId/undo')
  @Needs('platform.payouts')
  async undo(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const found = await this.allocation(params);
    const problems = await this.actions.undo(context, found.line, found.allocation, form);
    if (!problems) return seeOther(`${linePath(found.line)}?done=undone`);
    return page(renderUndo({ context, ...found, form, problems }), statusOf(problems));
  }

  @Get('payments/:paymentId/payer')
  @Needs('platform.payouts')
  async askPayer(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
  ): Promise<PageAnswer> {
    return page(renderPayer({ context, ...(await this.standing(params)) }));
  }

  @Post('payments/:paymentId/payer')
  @Needs('platform.payouts')
  async addPayer(
    @CurrentContext() context: SignedInContext,
    @Param() params: Params,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const found = await this.allocation(params);
    const problems = await this.actions.addPayer(context, found.line, found.allocation, form);
    if (!problems) return seeOther(`${linePath(found.line)}?done=payer`);
    return page(renderPayer({ context, ...found, form, problems }), statusOf(problems));
  }

  /** @throws Refusal 404 */
  private open({ mode = '', id = '' }: Params): Promise<BankLinePage> {
    return this.lines.open(modeOf(mode), idOf(id));
  }

  /** @throws Refusal 404, also for an undone match */
  private async standing(params: Params) {
    const found = await this.allocation(params);
    if (found.allocation.undoneAt !== null) throw notFound();
    return found;
  }

  /**
   * Finds a match, including an undone one, so that the slower of two operators sees why it failed.
   * @throws Refusal 404
   */
  private async allocation(params: Params) {
    const { line, allocations } = await this.open(params);
    const paymentId = idOf(params['paymentId'] ?? '');
    const found = allocations.find((each) => each.paymentId === paymentId);
    if (!found) throw notFound();
    return { line, allocation: found };
  }

  /** Redirects, or shows the current line with the problems. */
  private async answer(
    context: SignedInContext,
    params: Params,
    { sent, form, problems, done }: Sent,
  ): Promise<PageAnswer> {
    const found = await this.open(params);
    if (!problems) return seeOther(`${linePath(found.line)}?done=${done}`);
    const again = { context, page: found, mayAct: true, sent, form, problems };
    return page(renderLine(again), statusOf(problems));
  }
}
