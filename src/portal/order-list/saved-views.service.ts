import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { textProblem } from '../../common/text.js';
import {
  type ListedView,
  SavedViewRepository,
  type ViewOwner,
} from '../../database/saved-views/saved-view.repository.js';
import type { MerchantContext, SignedInContext } from '../../people/portal-context.js';
import { Refusal } from '../../people/refusal.js';
import { filterQuery } from './order-list-address.js';
import { OrderListService } from './order-list.service.js';
import { merchantOrders } from './orders-access.js';

export const VIEW_NAME_MAX = 60;
/** Maximum number of views per user and merchant. */
const VIEWS_MAX = 20;

/** Named filters of the order list, per user and merchant. */
@Injectable()
export class SavedViewsService {
  constructor(
    private readonly views: SavedViewRepository,
    private readonly orderList: OrderListService,
    private readonly clock: Clock,
  ) {}

  /** Empty for the list of all merchants. */
  async list({ access, session }: SignedInContext): Promise<readonly ListedView[]> {
    return access ? this.views.list(ownerOf({ access, session })) : [];
  }

  /**
   * Saves the parsed filter, without other parameters.
   * @returns the filter as a query string
   * @throws Refusal 400 for an invalid name, 409 if there are too many views
   */
  async save(context: MerchantContext, typedName: string, typed: URLSearchParams): Promise<string> {
    const name = typedName.trim();
    if (textProblem(name, { min: 1, max: VIEW_NAME_MAX, name: true })) throw oddName();
    const query = filterQuery(this.orderList.ask(merchantOrders(context), typed)).toString();
    const view = { ...ownerOf(context), name, query, createdAt: this.clock.now() };
    if (!(await this.views.save(view, VIEWS_MAX))) throw tooMany();
    return query;
  }

  remove(context: MerchantContext, name: string): Promise<void> {
    return this.views.remove(ownerOf(context), name);
  }
}

const ownerOf = ({ access, session }: Pick<MerchantContext, 'access' | 'session'>): ViewOwner => ({
  merchantId: access.merchantId,
  userId: session.userId,
});

const oddName = (): Refusal =>
  new Refusal(
    400,
    'The view needs a name',
    `Enter a name of at most ${VIEW_NAME_MAX} characters, without invisible ones. Nothing was saved.`,
  );

const tooMany = (): Refusal =>
  new Refusal(
    409,
    'Too many saved views',
    `You can save at most ${VIEWS_MAX} views. Delete one, then save again.`,
  );
