import { Module } from '@nestjs/common';
import { ChangelogController } from './changelog.controller.js';
import { DocsController } from './docs.controller.js';
import { ErrorsController } from './errors.controller.js';
import { OpenApi } from './openapi/openapi.js';
import { WelcomeController } from './welcome.controller.js';

/** API documentation. */
@Module({
  controllers: [ChangelogController, DocsController, ErrorsController, WelcomeController],
  providers: [OpenApi],
})
export class ReferenceModule {}
