import { Module } from '@nestjs/common';
import { ChangelogController } from './changelog.controller.js';
import { DocsController } from './docs.controller.js';
import { ErrorsController } from './errors.controller.js';
import { OpenApi } from './openapi/openapi.js';

/** What developers look up. */
@Module({
  controllers: [ChangelogController, DocsController, ErrorsController],
  providers: [OpenApi],
})
export class ReferenceModule {}
