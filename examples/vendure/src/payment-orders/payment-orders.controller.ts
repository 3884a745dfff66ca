import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { Logger } from '@vendure/core';
import { type Request, type Response } from 'express';
import { Webhook } from 'standardwebhooks';
import { type PaymentOrderEvent } from './client';
import { OPTIONS, type PaymentOrdersOptions } from './options';
import { PaymentOrders } from './payment-orders';

@Controller('payment-orders')
export class PaymentOrdersController {
  private readonly webhook: Webhook;

  constructor(
    private readonly paymentOrders: PaymentOrders,
    @Inject(OPTIONS) private readonly options: PaymentOrdersOptions,
  ) {
    this.webhook = new Webhook(options.webhookSecret);
  }

  /** The plug-in's middleware leaves the body as it came: of nothing else is the signature. */
  @Post('webhook')
  async receive(@Req() request: Request, @Res() response: Response): Promise<void> {
    let event: PaymentOrderEvent;
    try {
      event = this.webhook.verify(
        request.body as Buffer,
        request.headers as Record<string, string>,
      ) as PaymentOrderEvent;
    } catch {
      return void response.status(400).end();
    }
    const { type, data } = event;
    const isKnown = !type.startsWith('order.') || (await this.paymentOrders.receive(event));
    // Our own transaction may not be through yet: the service comes again. An order of which we never got
    // to know, because its answer was lost, has no money.
    const isLost = !isKnown && data.amountReceived > 0;
    response.status(isLost ? 503 : 204).end();
  }

  /** A payer comes back. That says nothing about the money: only the service does. */
  @Get('return/:code')
  async goOn(@Param('code') code: string, @Res() response: Response): Promise<void> {
    await this.paymentOrders.look(code).catch((error: unknown) => {
      Logger.warn(`Order ${code} will be looked at again: ${String(error)}`, 'PaymentOrders');
    });
    response.redirect(303, this.options.orderPage(code));
  }
}
