import { Get } from '@nestjs/common';
import { CurrentContext, pathOf, type SignedInContext } from '../people/portal-context.js';
import { type PageAnswer, page, seeOther } from './kit/answer.js';
import { renderMemberships } from './memberships.view.js';
import { Needs, PortalController } from './portal-controller.js';

/** Start page of the portal. */
@PortalController('')
export class StartController {
  /** Redirects members of a single merchant to it. */
  @Get()
  @Needs('self')
  start(@CurrentContext() context: SignedInContext): PageAnswer {
    const { platformRole, memberships } = context.session;
    const [only] = memberships;
    if (platformRole && !only) return seeOther('/portal/platform');
    if (only && memberships.length === 1 && !platformRole) {
      return seeOther(pathOf({ merchantId: only.id, mode: 'test' }));
    }
    return page(renderMemberships(context, memberships));
  }
}
