import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { ExportNotice } from './export-notice.js';
import { ExportStreamService } from './export-stream.service.js';
import { ExportWorker } from './export-worker.js';
import { ExportsService } from './exports.service.js';

/** Orders as a file, as a direct download or in the background. */
@Module({
  imports: [NotificationsModule],
  providers: [ExportStreamService, ExportNotice, ExportsService, ExportWorker],
  exports: [ExportStreamService, ExportsService],
})
export class ExportsModule {}
