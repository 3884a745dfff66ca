import { Get } from '@nestjs/common';
import type { ExportFile } from '../../exports/export-stream.service.js';
import { ClientDisconnect } from '../../http/client-disconnect.js';
import { CurrentContext, type MerchantContext } from '../../people/portal-context.js';
import { page, type PageAnswer, seeOther } from '../kit/answer.js';
import { SearchParams } from '../kit/http.js';
import { tidy } from '../order-list/order-list-address.js';
import { Needs, PortalController } from '../portal-controller.js';
import { RefundListService } from './refund-list.service.js';
import { refundsPath, renderRefunds } from './refund-list.view.js';

/** Refunds of a merchant: a list, and the same as a file. */
@PortalController('m/:merchantId/:mode/refunds')
export class RefundListController {
  constructor(private readonly refunds: RefundListService) {}

  @Get()
  @Needs('orders.read')
  async list(
    @CurrentContext() context: MerchantContext,
    @SearchParams() typed: URLSearchParams,
  ): Promise<PageAnswer> {
    const tidied = tidy(typed).toString();
    if (tidied !== typed.toString()) return seeOther(`${refundsPath(context)}?${tidied}`);
    return page(renderRefunds(context, await this.refunds.list(context, typed)));
  }

  @Get('download.csv')
  @Needs('orders.export')
  file(
    @CurrentContext() context: MerchantContext,
    @SearchParams() query: URLSearchParams,
    @ClientDisconnect() signal: AbortSignal,
  ): Promise<ExportFile> {
    return this.refunds.file(context, query, signal);
  }
}
