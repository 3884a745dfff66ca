import { Get, Query } from '@nestjs/common';
import { CurrentContext, type MerchantContext } from '../../people/portal-context.js';
import { type PageAnswer, page } from '../kit/answer.js';
import { Needs, PortalController } from '../portal-controller.js';
import { HomeService } from './home.service.js';
import { renderHome } from './home.view.js';

@PortalController('m/:merchantId/:mode')
export class HomeController {
  constructor(private readonly home: HomeService) {}

  @Get()
  @Needs('orders.read')
  async show(
    @CurrentContext() context: MerchantContext,
    @Query('currency') currency: unknown,
  ): Promise<PageAnswer> {
    const home = await this.home.open(context, typeof currency === 'string' ? currency : null);
    return page(renderHome(context, home));
  }
}
