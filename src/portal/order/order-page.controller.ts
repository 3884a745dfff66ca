import { Get, Param, Post } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { CurrentContext, type MerchantContext } from '../../people/portal-context.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { Form } from '../kit/http.js';
import { Needs, PortalController } from '../portal-controller.js';
import { renderCancel } from './cancel.view.js';
import { OrderPageService } from './order-page.service.js';
import { renderOrder } from './order-page.view.js';
import { orderPath } from './order-props.js';
import { renderVersions } from './versions.view.js';

/** Page of one order and its actions. */
@PortalController('m/:merchantId/:mode/orders/:txid')
export class OrderPageController {
  constructor(
    private readonly orders: OrderPageService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Needs('orders.read')
  async show(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
  ): Promise<PageAnswer> {
    const order = await this.orders.open(context, txid);
    return page(renderOrder(context, order, this.clock.now()));
  }

  @Post('payer')
  @Needs('payer.reveal')
  async reveal(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
  ): Promise<PageAnswer> {
    const order = await this.orders.reveal(context, txid);
    return page(renderOrder(context, order, this.clock.now()));
  }

  /** Reached when the response of the submitted form is reloaded. */
  @Get('payer')
  @Needs('orders.read')
  back(@CurrentContext() context: MerchantContext, @Param('txid') txid: string): PageAnswer {
    return seeOther(orderPath(context, encodeURIComponent(txid)));
  }

  @Get('versions')
  @Needs('orders.read')
  async versions(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
  ): Promise<PageAnswer> {
    return page(renderVersions(context, await this.orders.versions(context, txid)));
  }

  @Post('notes')
  @Needs('orders.note')
  async note(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const text = form.get('note') ?? '';
    const problem = await this.orders.note(context, txid, text);
    if (!problem) return seeOther(`${orderPath(context, txid)}#timeline`);
    const order = await this.orders.open(context, txid);
    return invalid(renderOrder(context, order, this.clock.now(), { text, problem }));
  }

  @Post('deliveries/:deliveryId/resend')
  @Needs('deliveries.resend')
  async resend(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<PageAnswer> {
    await this.orders.resend(context, txid, deliveryId);
    return seeOther(`${orderPath(context, txid)}#webhooks`);
  }

  @Get('cancel')
  @Needs('orders.cancel')
  async askToCancel(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
  ): Promise<PageAnswer> {
    const order = await this.orders.find(context, txid);
    const can = this.orders.isCancelable(order);
    return page(renderCancel(context, order, can), can ? 200 : 409);
  }

  @Post('cancel')
  @Needs('orders.cancel')
  async cancel(
    @CurrentContext() context: MerchantContext,
    @Param('txid') txid: string,
  ): Promise<PageAnswer> {
    const order = await this.orders.cancel(context, txid);
    if (order.status !== 'cancelled') return page(renderCancel(context, order, false), 409);
    return seeOther(orderPath(context, order.txid));
  }
}
