//===- Notes.h - what a pass says of its choices --------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The one way for a pass to say what it decided and what it rejected, and why. Notes
// are MLIR's optimization remarks (passed and missed): `weft explain` and dumps collect
// them, `weft opt --remarks-filter=.* --remark-policy=all` prints them. Where nobody
// listens, nothing is formatted.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_NOTES_H
#define WEFT_PASSES_NOTES_H

#include "dialect/Places.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Remarks.h"

namespace weft {

/// The keys of a note's arguments; all others are numbers.
inline constexpr llvm::StringLiteral noteWhat = "What", noteWhy = "Why";

/// One note while it is put together; it is told when it goes out of scope.
class Note {
public:
  explicit Note(mlir::remark::detail::InFlightRemark remark) : remark(std::move(remark)) {}

  /// Whether somebody listens.
  explicit operator bool() const { return static_cast<bool>(remark); }

  /// The reason, as llvm::formatv writes it.
  template <typename... Values> Note &because(const char *format, Values &&...values) {
    return add(noteWhy, format, std::forward<Values>(values)...);
  }
  /// A number that decided, for machines.
  Note &number(llvm::StringRef name, int64_t value) {
    if (remark)
      remark << mlir::remark::detail::Remark::Arg(name, value);
    return *this;
  }

private:
  friend class Notes;
  template <typename... Values>
  Note &add(llvm::StringRef key, const char *format, Values &&...values) {
    if (remark)
      remark << mlir::remark::detail::Remark::Arg(
          key, llvm::formatv(false, format, std::forward<Values>(values)...).str());
    return *this;
  }

  mlir::remark::detail::InFlightRemark remark;
};

/// The notes of one pass, by its flag.
class Notes {
public:
  constexpr explicit Notes(llvm::StringLiteral pass) : pass(pass) {}

  /// Whether somebody listens; asked where finding out what to say is work of its own.
  static bool wanted(mlir::Location where) { return where->getContext()->getRemarkEngine(); }

  /// What was done about an op, as llvm::formatv writes it: a phrase without a full stop.
  template <typename... Values>
  Note decided(mlir::Operation *about, const char *format, Values &&...values) const {
    return decided(about->getLoc(), format, std::forward<Values>(values)...);
  }
  template <typename... Values>
  Note decided(mlir::Location where, const char *format, Values &&...values) const {
    Note note(mlir::remark::passed(where, options("decided")));
    note.add(noteWhat, format, std::forward<Values>(values)...);
    return note;
  }
  /// What could have been done and was not.
  template <typename... Values>
  Note rejected(mlir::Operation *about, const char *format, Values &&...values) const {
    return rejected(about->getLoc(), format, std::forward<Values>(values)...);
  }
  template <typename... Values>
  Note rejected(mlir::Location where, const char *format, Values &&...values) const {
    Note note(mlir::remark::missed(where, options("rejected")));
    note.add(noteWhat, format, std::forward<Values>(values)...);
    return note;
  }

private:
  mlir::remark::RemarkOpts options(llvm::StringRef outcome) const {
    return mlir::remark::RemarkOpts::name(outcome).category(pass);
  }

  llvm::StringLiteral pass;
};

/// How a text speaks of a value: by its name in the source, else by its type.
std::string spoken(mlir::Value value);
/// A loop, by the name of its variable.
std::string spokenLoop(mlir::Value variable);
/// The same of an op's first result, or of the op itself.
std::string spoken(mlir::Operation *op);
inline std::string spoken(mlir::OpState op) { return spoken(op.getOperation()); }

} // namespace weft

#endif // WEFT_PASSES_NOTES_H
