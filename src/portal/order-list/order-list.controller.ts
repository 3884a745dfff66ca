import { Get } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { AuditService } from '../../people/audit.service.js';
import { CurrentContext, pathOf, type SignedInContext } from '../../people/portal-context.js';
import { type PageAnswer, page, seeOther } from '../kit/answer.js';
import { SearchParams } from '../kit/http.js';
import { Needs, PortalController } from '../portal-controller.js';
import { auditedFilter, tidy } from './order-list-address.js';
import { OrderListService } from './order-list.service.js';
import { renderOrderList } from './order-list.view.js';
import { CurrentOrdersAccess, type OrdersAccess } from './orders-access.js';
import { SavedViewsService } from './saved-views.service.js';

/** Order list of one merchant, or of all merchants for support. */
@PortalController('m/:merchantId/:mode/orders', 'all/:mode/orders')
export class OrderListController {
  constructor(
    private readonly orderList: OrderListService,
    private readonly views: SavedViewsService,
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  @Get()
  @Needs('orders.read', 'platform.orders')
  async list(
    @CurrentContext() context: SignedInContext,
    @CurrentOrdersAccess() access: OrdersAccess,
    @SearchParams() typed: URLSearchParams,
  ): Promise<PageAnswer> {
    const tidied = tidy(typed).toString();
    if (tidied !== typed.toString()) return seeOther(`${access.base}/orders?${tidied}`);
    const asked = this.orderList.ask(access, typed);
    if (access.role === 'support') {
      await this.audit.recordView(context, { action: 'orders.listed', data: auditedFilter(asked) });
    }
    const [list, views] = await Promise.all([this.orderList.list(asked), this.views.list(context)]);
    if (list.hit) return seeOther(`${pathOf(list.hit)}/orders/${list.hit.txid}`);
    return page(renderOrderList(context, list, views, this.config.publicUrl));
  }
}
