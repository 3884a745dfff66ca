import { Get } from '@nestjs/common';
import { CurrentContext, type SignedInContext } from '../../people/portal-context.js';
import { type PageAnswer, page } from '../kit/answer.js';
import { Needs, PortalController } from '../portal-controller.js';
import { HealthService } from './health.service.js';
import { renderHealth } from './health.view.js';

@PortalController('platform/health')
export class HealthPageController {
  constructor(private readonly health: HealthService) {}

  @Get()
  @Needs('platform.manage')
  async show(@CurrentContext() context: SignedInContext): Promise<PageAnswer> {
    return page(renderHealth(context, await this.health.read()));
  }
}
