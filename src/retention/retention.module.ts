import { Module } from '@nestjs/common';
import { ErasureService } from './erasure.service.js';
import { RetentionJob } from './retention-job.js';

/** Forgets people when their time is over, or when they ask for it. */
@Module({
  providers: [ErasureService, RetentionJob],
  exports: [ErasureService],
})
export class RetentionModule {}
