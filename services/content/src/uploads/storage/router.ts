import { internal, post, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { StorageUploadURL, Take, Taken, Upload } from "./schema.js";

export const storage = router({
  upload: post("/orgs/{organizationId}/storage/upload", {
    status: 201,
    operationId: "generateStorageUploadURL",
    permission: "storage.upload",
    summary: "Get a signed address that takes the bytes of a font, or of a file to import",
  })
    .input(Upload)
    .output(StorageUploadURL)
    .mutation(rules.upload),
  take: internal({ services: ["sites"], permission: "storage.upload" })
    .input(Take)
    .output(Taken)
    .mutation(rules.take),
});
