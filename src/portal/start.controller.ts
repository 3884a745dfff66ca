import { Get } from '@nestjs/common';
import { UserRepository } from '../database/people/user.repository.js';
import { CurrentContext, pathOf, type SignedInContext } from '../people/portal-context.js';
import { type PageAnswer, page, seeOther } from './kit/answer.js';
import { renderMemberships } from './memberships.view.js';
import { Needs, PortalController } from './portal-controller.js';

/** The way in. */
@PortalController('')
export class StartController {
  constructor(private readonly users: UserRepository) {}

  /** Whoever belongs to one merchant is taken there. */
  @Get()
  @Needs('self')
  async start(@CurrentContext() context: SignedInContext): Promise<PageAnswer> {
    const { userId, platformRole } = context.session;
    const memberships = await this.users.memberships(userId);
    const [only] = memberships;
    if (platformRole && !only) return seeOther('/portal/platform');
    if (only && memberships.length === 1 && !platformRole) {
      return seeOther(pathOf({ merchantId: only.id, mode: 'test' }));
    }
    return page(renderMemberships(context, memberships));
  }
}
