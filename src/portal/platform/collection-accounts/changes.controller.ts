import { Get, Param, Post } from '@nestjs/common';
import { CollectionAccountChangesService } from '../../../collection-accounts/collection-account-changes.service.js';
import { CollectionAccountsService } from '../../../collection-accounts/collection-accounts.service.js';
import { CurrentContext, type SignedInContext } from '../../../people/portal-context.js';
import { type PageAnswer, page, seeOther } from '../../kit/answer.js';
import { idOf } from '../../kit/path-id.js';
import { Needs, PortalController } from '../../portal-controller.js';
import { renderConfirmChange, renderWithdrawChange } from './changes.view.js';
import { collectionAccountsPath } from './collection-accounts-path.js';

/** Changes to live collection accounts: a second operator confirms them, then a waiting time runs. */
@PortalController('platform/collection-accounts/live/changes')
export class CollectionAccountChangesController {
  constructor(
    private readonly changes: CollectionAccountChangesService,
    private readonly accounts: CollectionAccountsService,
  ) {}

  @Get(':id/confirm')
  @Needs('platform.payouts')
  async askConfirm(
    @CurrentContext() context: SignedInContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const change = await this.changes.findOpen(idOf(id));
    return page(renderConfirmChange(context, change, await this.accounts.list('live')));
  }

  @Post(':id/confirm')
  @Needs('platform.payouts')
  async confirm(
    @CurrentContext() context: SignedInContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const { appliedAt } = await this.changes.confirm(context, idOf(id));
    return seeOther(
      `${collectionAccountsPath('live')}?done=${appliedAt ? 'applied' : 'confirmed'}`,
    );
  }

  @Get(':id/withdraw')
  @Needs('platform.payouts')
  async askWithdraw(
    @CurrentContext() context: SignedInContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const change = await this.changes.findOpen(idOf(id));
    return page(renderWithdrawChange(context, change, await this.accounts.list('live')));
  }

  @Post(':id/withdraw')
  @Needs('platform.payouts')
  async withdraw(
    @CurrentContext() context: SignedInContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    await this.changes.withdraw(context, idOf(id));
    return seeOther(`${collectionAccountsPath('live')}?done=withdrawn`);
  }
}
