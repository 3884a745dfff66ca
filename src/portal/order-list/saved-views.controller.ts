import { Post } from '@nestjs/common';
import { CurrentContext, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { type PageAnswer, seeOther } from '../kit/answer.js';
import { Form } from '../kit/http.js';
import { Needs, PortalController } from '../portal-controller.js';
import { SavedViewsService } from './saved-views.service.js';

/** Saved filters of the order list. */
@PortalController('m/:merchantId/:mode/orders/views')
export class SavedViewsController {
  constructor(private readonly views: SavedViewsService) {}

  @Post()
  @Needs('orders.read')
  async save(
    @CurrentContext() context: MerchantContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const filter = new URLSearchParams(form.get('query') ?? '');
    return listAt(context, await this.views.save(context, form.get('name') ?? '', filter));
  }

  @Post('delete')
  @Needs('orders.read')
  async delete(
    @CurrentContext() context: MerchantContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    await this.views.remove(context, form.get('name') ?? '');
    return listAt(context, form.get('query') ?? '');
  }
}

/** Redirects to the list. Parsing the query keeps any input within this page. */
function listAt({ access }: MerchantContext, query: string): PageAnswer {
  const text = new URLSearchParams(query).toString();
  return seeOther(`${pathOf(access)}/orders${text && `?${text}`}`);
}
