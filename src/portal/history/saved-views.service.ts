import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { textProblem } from '../../common/text.js';
import type { SavedView } from '../../database/entities/saved-view.entity.js';
import {
  SavedViewRepository,
  type ViewOwner,
} from '../../database/repositories/saved-view.repository.js';
import { Refusal } from '../refusal.js';
import type { PlacedVisit } from '../visit.js';
import { filterQuery } from './history-address.js';
import { merchantPlace } from './history-place.js';
import { HistoryService } from './history.service.js';

export const VIEW_NAME_MAX = 60;
/** Views that one person keeps for one merchant. */
const VIEWS_MAX = 20;

/** Filters of the list that people keep under names of their own. */
@Injectable()
export class SavedViewsService {
  constructor(
    private readonly views: SavedViewRepository,
    private readonly history: HistoryService,
    private readonly clock: Clock,
  ) {}

  list(visit: PlacedVisit): Promise<SavedView[]> {
    return this.views.list(ownerOf(visit));
  }

  /**
   * Keeps what the filter means, and nothing else of what was sent.
   * @returns the filter
   * @throws Refusal for a name that cannot be, 409 when there are too many
   */
  async save(visit: PlacedVisit, typedName: string, typed: URLSearchParams): Promise<string> {
    const name = typedName.trim();
    if (textProblem(name, { min: 1, max: VIEW_NAME_MAX, name: true })) throw oddName();
    const query = filterQuery(this.history.ask(merchantPlace(visit), typed)).toString();
    const view = { ...ownerOf(visit), name, query, createdAt: this.clock.now() };
    if (!(await this.views.save(view, VIEWS_MAX))) throw tooMany();
    return query;
  }

  remove(visit: PlacedVisit, name: string): Promise<void> {
    return this.views.remove(ownerOf(visit), name);
  }
}

const ownerOf = ({ place, session }: PlacedVisit): ViewOwner => ({
  merchantId: place.merchantId,
  userId: session.userId,
});

const oddName = (): Refusal =>
  new Refusal(
    400,
    'The view needs a name',
    `Give it a name of at most ${VIEW_NAME_MAX} characters, none of them invisible. Nothing was saved.`,
  );

const tooMany = (): Refusal =>
  new Refusal(
    409,
    'There are too many views',
    `You can keep ${VIEWS_MAX} here. Delete one that you no longer need, then save again.`,
  );
